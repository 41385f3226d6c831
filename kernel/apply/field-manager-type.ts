import type { ApiObject } from 'orch/sdk'
import { compileDecoder } from '../schema/decode.js'
import { type Derivable, derive } from '../schema/derive.js'
import type { StructNode } from '../schema/type-model.js'

/** What ownership needs to know about the type, version and path of a write. Reuse it: results are cached by its identity. */
export interface FieldManagerType extends Derivable {
  /** The version of the request; all objects that are passed in and returned are of this version. */
  readonly groupVersion: string
  readonly kind?: string
  readonly model: StructNode
  /** The model of another version of the type; `undefined` when it is not served. */
  modelOf(groupVersion: string): StructNode | undefined
  /** Converts an object of this type. Must not change its argument. */
  convert(object: ApiObject, toGroupVersion: string, fromGroupVersion: string): ApiObject
  /** Dotted paths of fields that this path resets, and that are therefore not owned through it. */
  readonly resetFields: readonly string[]
  /** Whether the time of an owner is updated if it only shares fields that others already own. */
  readonly timesSharedFields: boolean
  /** Whether lists with several items of the same identity are tracked. In older versions such objects lose their owners. */
  readonly tracksRepeatedItems?: boolean
  /** Whether merged lists have the order of the applied ones; in older versions new items come last. True by default. */
  readonly keepsAppliedOrder?: boolean
  /** Whether an apply with only fields that this path resets is passed to the strategy. In older versions it is not a change. */
  readonly takesResetChanges?: boolean
  /** Empty on the main path. */
  readonly subresource: string
  /** The command-line client whose client-side applies may be replaced by server-side ones: its manager name for the latter. */
  readonly clientSideApply?: { readonly manager: string; readonly annotation: string }
}

/** The empty object before a create: the fields that every object of the type has, with their zero values. */
export const emptyObject = (model: StructNode): ApiObject => derive(model, makeEmpty)
const makeEmpty = (model: StructNode) => compileDecoder(model)({}) as ApiObject

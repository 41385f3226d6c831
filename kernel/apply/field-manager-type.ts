import type { ApiObject } from 'orch/sdk'
import { compileDecoder } from '../schema/decode.js'
import { type Derivable, derive } from '../schema/derive.js'
import type { StructNode } from '../schema/type-model.js'

/** The type, version and path of a write, as far as ownership needs it. Reuse it: results are cached by its identity. */
export interface FieldManagerType extends Derivable {
  /** The version of the request; all objects that are passed in and returned are of this version. */
  readonly groupVersion: string
  readonly kind?: string
  readonly model: StructNode
  /** The model of another version of the type; `undefined` when it is not served. */
  modelOf(groupVersion: string): StructNode | undefined
  /** Converts an object of this type. Must not change its argument. */
  convert(object: ApiObject, toGroupVersion: string, fromGroupVersion: string): ApiObject
  /** Dotted paths that this path resets, and that nobody can own through it. */
  readonly resetFields: readonly string[]
  /** Is the time of an owner updated if it only shares fields that others already own? */
  readonly timesSharedFields: boolean
  /** Are lists with several items of the same identity tracked? Before, such objects lose their owners. */
  readonly tracksRepeatedItems?: boolean
  /** Is an apply that only has fields that this path resets passed to the strategy? Before, it is not a change. */
  readonly takesResetChanges?: boolean
  /** Empty on the main path. */
  readonly subresource: string
  /** The command-line client whose client-side applies may turn into server-side ones, by the name under which it applies server-side. */
  readonly clientSideApply?: { readonly manager: string; readonly annotation: string }
}

/** The empty object before a create: the fields that every object of the type has, with their zero values. */
export const emptyObject = (model: StructNode): ApiObject => derive(model, makeEmpty)
const makeEmpty = (model: StructNode) => compileDecoder(model)({}) as ApiObject

import type { ApiObject } from 'orch/sdk'
import { compileDecoder } from '../schema/decode.js'
import { type Derivable, derive } from '../schema/derive.js'
import type { StructNode } from '../schema/type-model.js'

/** What tracking ownership must know about the type, version and path of a write. Keep one for each: things are cached by it. */
export interface FieldManagerType extends Derivable {
  /** The version the request speaks; all objects handed in and out are of this version. */
  readonly groupVersion: string
  readonly kind?: string
  readonly model: StructNode
  /** The model of another version of the type; `undefined` when it is not served. */
  modelOf(groupVersion: string): StructNode | undefined
  /** Converts an object of this type. May change nothing of what it is given. */
  convert(object: ApiObject, toGroupVersion: string, fromGroupVersion: string): ApiObject
  /** Dotted paths that this path resets, and that nobody can own through it. */
  readonly resetFields: readonly string[]
  /** Does an owner have a time who only shares what others own already? */
  readonly timesSharedFields: boolean
  /** Are lists tracked in which several items have the same identity? Before, such objects lose their owners. */
  readonly tracksRepeatedItems?: boolean
  /** Is an apply of nothing but what this path resets left to the strategy? Before, it is no change at all. */
  readonly takesResetChanges?: boolean
  /** Empty on the main path. */
  readonly subresource: string
  /** The command-line client whose client-side applies may turn into server-side ones, by the name under which it applies server-side. */
  readonly clientSideApply?: { readonly manager: string; readonly annotation: string }
}

/** What stands for "no object yet": the fields that every object of the type has, with their zero values. */
export const emptyObject = (model: StructNode): ApiObject => derive(model, makeEmpty)
const makeEmpty = (model: StructNode) => compileDecoder(model)({}) as ApiObject

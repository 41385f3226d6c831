import type { UserInfo } from '../identity/user.js'
import type { FieldError } from '../resource/field-errors.js'
import type { ApiObject } from '../resource/meta.js'
import type { Needs, Resolved } from './service-token.js'

/** A write whose permission depends on what is written, not only on where. Objects are in the storage version. */
export interface PermissionRequest<T = ApiObject> {
  readonly user: UserInfo
  /** As authorizers see the request: `create`, `update` or `patch`. */
  readonly verb: string
  readonly operation: 'create' | 'update'
  readonly namespace: string
  /** The name in the path; empty for a POST to the collection. */
  readonly pathName: string
  /** The object as it will be stored. Must not be changed. */
  readonly object: T
  /** The stored object; undefined on create. */
  readonly stored: T | undefined
}

type FieldErrors = readonly FieldError[] | void

/**
 * Checks whether this user may write these contents (for example, grant these permissions). It belongs to the type, so
 * unlike admission it cannot be turned off by a flag. Called on create and update of the path that declares it,
 * including dry run, after mutating admission and before validation and the check that the name is free. Throw an
 * ApiError to reject. Returned field errors are reported together with those of validation.
 */
export interface PermissionDefinition<T = ApiObject, N extends Needs = Needs> {
  readonly needs?: N
  review(request: PermissionRequest<T>, services: Resolved<N>): FieldErrors | Promise<FieldErrors>
}

/** Declares a permission check: `definePermission<Role>()({ ... })`. */
export const definePermission =
  <T = ApiObject>() =>
  <const N extends Needs = Record<never, never>>(definition: PermissionDefinition<T, N>): PermissionDefinition<T, N> =>
    definition

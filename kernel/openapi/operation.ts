import type { ResourceDefinition, VersionDefinition } from 'orch/sdk'
import type { GroupVersionKind } from './definitions.js'
import type { Parameter } from './parameters.js'

/** One served version of a type. */
export interface ServedType {
  readonly definition: ResourceDefinition
  readonly version: VersionDefinition
}

export type Method = 'get' | 'put' | 'post' | 'delete' | 'patch'

/** One method of one path, in terms that both versions of OpenAPI support. */
export interface Operation {
  readonly path: string
  readonly method: Method
  readonly id: string
  readonly description: string
  readonly tag: string
  readonly action?: string
  readonly kind?: GroupVersionKind
  readonly consumes: readonly string[]
  readonly produces: readonly string[]
  readonly parameters: readonly Parameter[]
  /** Name of the definition of the body. */
  readonly body?: { readonly definition: string; readonly isRequired: boolean }
  /** Definition of the response by status code; undefined for a response without a body. */
  readonly responses: Readonly<Record<string, string | undefined>>
}

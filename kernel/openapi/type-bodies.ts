import type { GroupVersionKind } from './definitions.js'

/** Body of an action subresource. */
export interface ActionBody {
  readonly kind: GroupVersionKind
  readonly definition: string
}

/** Names of the definitions that the operations of a type mention. */
export interface TypeBodies {
  readonly object: string
  /** Called only if the type has lists. */
  list(): string
  readonly status: string
  readonly deleteOptions: string
  readonly patch: string
}

import type { GroupResource } from '../plugin/caches.js'
import type { Needs, Resolved } from '../plugin/service-token.js'
import type { ApiObject } from '../resource/meta.js'
import type { ResourceDefinition } from '../resource/resource.js'

/**
 * Types that come and go while the server runs: every object of one type describes others, which are served as long as it exists and is
 * ready. Each process of a server, and each server on a shared store, reads the objects for itself, in the order in which they were
 * written; so a request that is sent after a change was acknowledged finds the types as the change left them.
 */
export interface TypeSourceDefinition<N extends Needs = Needs> {
  readonly name: string
  /** The type whose objects describe types. A plugin must bring it. */
  readonly from: GroupResource
  readonly needs?: N
  /**
   * The part of an object that its types depend on. While it stays the same, so do the types, whatever else changes: nothing is compiled
   * again, no watch ends.
   */
  fingerprint(object: ApiObject): string
  /**
   * The types that an object describes; none while it is not ready. Depends on the object alone, and is cheap: `schema` of a version may be
   * a getter, which is called when the first request needs it.
   */
  types(object: ApiObject, services: Resolved<N>): readonly ResourceDefinition[]
}

/** Declares a source of types, so that `types` knows the services it asked for. */
export const defineTypeSource = <const N extends Needs = Record<never, never>>(
  definition: TypeSourceDefinition<N>,
): TypeSourceDefinition<N> => definition

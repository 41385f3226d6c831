import type { GroupResource } from '../plugin/caches.js'

/** An object of a type source, such as a CustomResourceDefinition. */
export interface DescribingObject extends GroupResource {
  readonly namespace?: string
  readonly name: string
}

/**
 * What is stored for the types that an object of a type source describes (see `defineTypeSource`). Objects are found by the
 * collection of the store that these types have, never by a path: whatever else is served under the same names, by a plugin or by
 * an extension server, is out of reach. An object whose types are refused has none, and so nothing is stored for it.
 */
export interface DescribedObjects {
  /**
   * Deletes all of them, without asking admission controls; finalizers still retain theirs. Returns how many are left, and does
   * not wait for those. Throws when one of them cannot be read.
   */
  deleteAll(describedBy: DescribingObject): Promise<number>
  /** The versions that they are stored in. */
  storedVersions(describedBy: DescribingObject): Promise<readonly string[]>
}

import type { CustomResourceDefinition } from '../definitions/schema.js'
import { claimKeysOf } from './accept-names.js'

/**
 * Names that were just assigned to definitions and are not in the cache yet, so that two definitions that request the same name
 * at the same time do not both get it.
 */
export class NameClaims {
  readonly #places = new Map<string, readonly string[]>()
  readonly #owners = new Map<string, string>()

  claim(definition: CustomResourceDefinition): void {
    const { name = '' } = definition.metadata
    this.release(name)
    const places = claimKeysOf(definition)
    this.#places.set(name, places)
    for (const place of places) this.#owners.set(place, name)
  }
  release(name: string): void {
    for (const place of this.#places.get(name) ?? []) if (this.#owners.get(place) === name) this.#owners.delete(place)
    this.#places.delete(name)
  }
  /** The definition that a name was recently assigned to, if any. */
  ownerOf(place: string): string | undefined {
    return this.#owners.get(place)
  }
}

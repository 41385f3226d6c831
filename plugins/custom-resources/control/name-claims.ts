import type { CustomResourceDefinition } from '../definitions/schema.js'
import { placesOf } from './accept-names.js'

/**
 * Names that were just given to definitions: until the copy of the definitions shows them, so that two that want the same name
 * at the same moment do not both get it.
 */
export class NameClaims {
  readonly #places = new Map<string, readonly string[]>()
  readonly #owners = new Map<string, string>()

  claim(definition: CustomResourceDefinition): void {
    const { name = '' } = definition.metadata
    this.release(name)
    const places = placesOf(definition)
    this.#places.set(name, places)
    for (const place of places) this.#owners.set(place, name)
  }
  release(name: string): void {
    for (const place of this.#places.get(name) ?? []) if (this.#owners.get(place) === name) this.#owners.delete(place)
    this.#places.delete(name)
  }
  /** Who was given a name; undefined when nobody was lately. */
  ownerOf(place: string): string | undefined {
    return this.#owners.get(place)
  }
}

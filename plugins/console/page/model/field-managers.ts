import type { ApiObject, ManagedFields } from './api.js'
import { ownersByPath, type Path, pathText } from './field-sets.js'

/** The managers of the fields of an object. */
export class FieldManagers {
  readonly #owners: ReadonlyMap<string, readonly ManagedFields[]>
  /** Fields of which parts have managers of their own. */
  readonly #parents = new Set<string>()

  constructor(object: ApiObject) {
    this.#owners = ownersByPath(object)
    for (const key of this.#owners.keys())
      for (let at = key.length - 1; at > 0; at--)
        if (key[at] === '.' || key[at] === '[') this.#parents.add(key.slice(0, at))
  }

  /** The managers of a field, or of a list or map around it that is owned as a whole. */
  at(path: Path): readonly ManagedFields[] {
    for (let length = path.length; length > 0; length--) {
      const text = pathText(path.slice(0, length))
      const found = this.#owners.get(text)
      if (!found) continue
      return length < path.length && this.#parents.has(text) ? [] : found
    }
    return []
  }
}

export const describeManager = ({ manager, operation, subresource, time }: ManagedFields): string =>
  `${manager} (${operation}${subresource ? ` of ${subresource}` : ''})${time ? ` at ${new Date(time).toString()}` : ''}`

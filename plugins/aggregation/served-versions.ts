import type { ResourceInfo } from 'orch/sdk'
import type { CatalogueChange } from 'orch/sdk/server'

interface GroupVersion {
  readonly group: string
  readonly version: string
}

/** Every version of every group that this server serves itself, with the number of its types: thousands may share a version. */
export class ServedVersions implements Iterable<GroupVersion> {
  readonly #counted = new Map<string, GroupVersion & { types: number }>()

  constructor(types: readonly ResourceInfo[]) {
    this.change({ added: types, removed: [] })
  }

  /** Applies a change of the served types. Returns whether a version was added or removed. */
  change({ added, removed }: CatalogueChange): boolean {
    let isChanged = false
    // Additions first: a version whose only type is replaced stays.
    for (const { group, version } of versionsOf(added)) {
      const known = this.#counted.get(`${group}/${version}`)
      if (known) known.types++
      else {
        this.#counted.set(`${group}/${version}`, { group, version, types: 1 })
        isChanged = true
      }
    }
    for (const { group, version } of versionsOf(removed)) {
      const known = this.#counted.get(`${group}/${version}`)
      if (!known || --known.types > 0) continue
      this.#counted.delete(`${group}/${version}`)
      isChanged = true
    }
    return isChanged
  }

  [Symbol.iterator](): Iterator<GroupVersion> {
    return this.#counted.values()
  }
}

const versionsOf = (types: readonly ResourceInfo[]): GroupVersion[] =>
  types.flatMap(({ group, servedVersions }) => servedVersions.map(version => ({ group, version })))

import type { CatalogueChange, ResourceInfo } from 'orch/sdk'

interface GroupVersion {
  readonly group: string
  readonly version: string
}

/** Every version of every group that a server serves itself, counted by its types: thousands of them may share a version. */
export class ServedVersions implements Iterable<GroupVersion> {
  readonly #counted = new Map<string, GroupVersion & { types: number }>()

  constructor(types: readonly ResourceInfo[]) {
    this.change({ added: types, removed: [] })
  }

  /** Takes over what happened to types. Did a version come or go with them? */
  change({ added, removed }: CatalogueChange): boolean {
    let isOther = false
    // First what comes: a version whose only type is replaced stays.
    for (const { group, version } of versionsOf(added)) {
      const known = this.#counted.get(`${group}/${version}`)
      if (known) known.types++
      else {
        this.#counted.set(`${group}/${version}`, { group, version, types: 1 })
        isOther = true
      }
    }
    for (const { group, version } of versionsOf(removed)) {
      const known = this.#counted.get(`${group}/${version}`)
      if (!known || --known.types > 0) continue
      this.#counted.delete(`${group}/${version}`)
      isOther = true
    }
    return isOther
  }

  [Symbol.iterator](): Iterator<GroupVersion> {
    return this.#counted.values()
  }
}

const versionsOf = (types: readonly ResourceInfo[]): GroupVersion[] =>
  types.flatMap(({ group, servedVersions }) => servedVersions.map(version => ({ group, version })))

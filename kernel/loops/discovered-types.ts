import type { ResourceCatalogue, ResourceInfo } from 'orch/sdk'
import type { Client, KindInfo } from 'orch/sdk/client'
import type { Verb } from 'orch/sdk/host'
import type { CatalogueChange } from 'orch/sdk/server'

/** The types of a server in another process, from discovery. */
export class DiscoveredTypes implements ResourceCatalogue {
  readonly #listeners = new Set<(change: CatalogueChange) => void>()
  readonly #isNeeded: (groupVersion: string) => boolean
  #infos: readonly ResourceInfo[] = []
  #unavailable: readonly string[] = []

  /** `isNeeded`: whether the loops of this process need this `group/version`, so that discovery without it fails. */
  constructor(isNeeded: (groupVersion: string) => boolean) {
    this.#isNeeded = isNeeded
  }

  get unavailable(): readonly string[] {
    return this.#unavailable
  }

  /**
   * Reads the types that `isWanted` selects again. Versions of extension servers may be unavailable: their known types are retained, and
   * `unavailable` names them, because deleting a namespace requires all of its types.
   */
  async refresh(client: Client, isWanted: (groupVersion: string) => boolean = () => true): Promise<void> {
    const { all, unavailable } = await client.kinds({ fresh: true })
    const needed = unavailable.filter(this.#isNeeded)
    if (needed.length > 0) throw new Error(`discovery of the server has no resources for ${needed.join(', ')}`)
    const byType = new Map<string, KindInfo[]>()
    for (const kind of all) {
      if (!isWanted(`${kind.group}/${kind.version}`)) continue
      const id = `${kind.group}/${kind.resource}`
      byType.set(id, [...(byType.get(id) ?? []), kind])
    }
    this.#unavailable = unavailable.filter(isWanted)
    const kept = this.#infos.filter(
      ({ group, version, resource }) =>
        !byType.has(`${group}/${resource}`) && this.#unavailable.includes(`${group}/${version}`),
    )
    const infos = [...[...byType.values()].map(infoOf), ...kept]
    const change = { added: without(infos, this.#infos), removed: without(this.#infos, infos) }
    this.#infos = infos
    if (change.added.length + change.removed.length > 0) for (const listener of this.#listeners) listener(change)
  }
  all(): readonly ResourceInfo[] {
    return this.#infos
  }
  find(group: string, resource: string): ResourceInfo | undefined {
    return this.#infos.find(info => info.group === group && info.resource === resource)
  }
  findKind(group: string, kind: string): ResourceInfo | undefined {
    return this.#infos.find(info => info.group === group && info.kind === kind)
  }
  onChange(listener: (change: CatalogueChange) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
}

function without(infos: readonly ResourceInfo[], others: readonly ResourceInfo[]): ResourceInfo[] {
  const known = new Set(others.map(info => JSON.stringify(info)))
  return infos.filter(info => !known.has(JSON.stringify(info)))
}

/** One type from its served versions, the preferred one first. */
function infoOf(versions: readonly KindInfo[]): ResourceInfo {
  const preferred = versions[0]!
  return {
    group: preferred.group,
    kind: preferred.kind,
    resource: preferred.resource,
    namespaced: preferred.namespaced,
    // Objects of a type that can only be created are not stored.
    virtual: preferred.verbs.every(verb => verb === 'create'),
    verbs: preferred.verbs as readonly Verb[],
    version: preferred.version,
    servedVersions: versions.map(({ version }) => version),
    subresources: preferred.subresources,
  }
}

import type { CatalogueChange, ResourceCatalogue, ResourceInfo, Verb } from 'orch/sdk'
import type { Client, KindInfo } from 'orch/sdk/client'

/** The types of a server in another process, as it tells them. */
export class DiscoveredTypes implements ResourceCatalogue {
  readonly #listeners = new Set<(change: CatalogueChange) => void>()
  #infos: readonly ResourceInfo[] = []

  /** Asks again. Half an answer is none: who empties a namespace must know every type in it. */
  async refresh(client: Client): Promise<void> {
    const { all, unavailable } = await client.kinds({ fresh: true })
    if (unavailable.length > 0) throw new Error(`the server does not say what is in ${unavailable.join(', ')}`)
    const byType = new Map<string, KindInfo[]>()
    for (const kind of all) {
      const id = `${kind.group}/${kind.resource}`
      byType.set(id, [...(byType.get(id) ?? []), kind])
    }
    const infos = [...byType.values()].map(infoOf)
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
    // Nothing is stored of a type that can only be created.
    virtual: preferred.verbs.every(verb => verb === 'create'),
    verbs: preferred.verbs as readonly Verb[],
    version: preferred.version,
    servedVersions: versions.map(({ version }) => version),
    subresources: preferred.subresources,
  }
}

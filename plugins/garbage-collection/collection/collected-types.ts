import type { GroupResource, ResourceCatalogue, ResourceInfo } from 'orch/sdk'
import { apiVersionOf } from 'orch/sdk/client'

/** A type, in the one version in which this plugin reads it. */
export type CollectedType = Pick<ResourceInfo, 'group' | 'version' | 'resource' | 'namespaced'>

/** The changes since the last update. */
export interface TypesChange {
  readonly added: readonly CollectedType[]
  readonly removed: readonly CollectedType[]
}

/** The types of a server, by the apiVersion and kind of owner references. */
export class CollectedTypes {
  readonly #ignored: ReadonlySet<string>
  readonly #known = new Map<string, { readonly info: ResourceInfo; readonly type: CollectedType }>()
  readonly #byReference = new Map<string, CollectedType>()

  constructor(ignored: readonly GroupResource[]) {
    this.#ignored = new Set(ignored.map(idOf))
  }
  /**
   * Updates types as they are served now. An unchanged type keeps its identity, and so do its
   * objects.
   */
  update(looked: Iterable<GroupResource>, resources: Pick<ResourceCatalogue, 'find'>): TypesChange {
    const added: CollectedType[] = []
    const removed: CollectedType[] = []
    for (const { group, resource } of looked) {
      const before = this.#forget({ group, resource })
      const after = this.#learn(resources.find(group, resource), before?.type)
      const wasFollowed = before && this.#isFollowed(before.info)
      const isFollowed = after && this.#isFollowed(after.info)
      if (wasFollowed && !(isFollowed && before.type === after.type)) removed.push(before.type)
      if (isFollowed && !(wasFollowed && before.type === after.type)) added.push(after.type)
    }
    return { added, removed }
  }
  /** The type an owner reference names, in any version the server serves. */
  named(apiVersion: string, kind: string): CollectedType | undefined {
    return this.#byReference.get(referenceOf(apiVersion, kind))
  }

  #forget(id: GroupResource) {
    const known = this.#known.get(idOf(id))
    if (!known) return undefined
    this.#known.delete(idOf(id))
    // Another type may have taken over the kind.
    for (const reference of referencesOf(known.info))
      if (this.#byReference.get(reference) === known.type) this.#byReference.delete(reference)
    return known
  }
  #learn(info: ResourceInfo | undefined, before: CollectedType | undefined) {
    if (!info || info.servedVersions.length === 0) return undefined
    const isSame = before?.version === info.version && before.namespaced === info.namespaced
    const known = { info, type: isSame ? before : info }
    this.#known.set(idOf(info), known)
    for (const reference of referencesOf(info)) this.#byReference.set(reference, known.type)
    return known
  }
  /** Types that cannot be listed, watched and deleted cannot be collected. */
  #isFollowed(info: ResourceInfo): boolean {
    return (
      !this.#ignored.has(idOf(info)) && (['list', 'watch', 'delete'] as const).every(verb => info.verbs.includes(verb))
    )
  }
}

const idOf = ({ group, resource }: GroupResource) => `${resource}.${group}`
const referenceOf = (apiVersion: string, kind: string) => `${apiVersion} ${kind}`
const referencesOf = ({ group, kind, verbs, servedVersions }: ResourceInfo): string[] =>
  verbs.includes('get') ? servedVersions.map(version => referenceOf(apiVersionOf({ group, version }), kind)) : []

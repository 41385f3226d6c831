import type { GroupResource, ResourceInfo } from 'orch/sdk'
import { apiVersionOf } from 'orch/sdk/client'

/** A type, in the one version in which this plugin reads it. */
export type CollectedType = Pick<ResourceInfo, 'group' | 'version' | 'resource' | 'namespaced'>

/** What is new since the last look. */
export interface TypesChange {
  readonly added: readonly CollectedType[]
  readonly removed: readonly CollectedType[]
}

/** The types of a server, by what owner references call them. */
export class CollectedTypes {
  readonly #ignored: readonly GroupResource[]
  /** Those whose objects are followed: what cannot be listed, watched and deleted cannot be collected. */
  #followed = new Map<string, CollectedType>()
  #byReference = new Map<string, CollectedType>()

  constructor(ignored: readonly GroupResource[]) {
    this.#ignored = ignored
  }
  /** Takes the types that are served now. One that stays is the same as before, so that its objects keep their identity. */
  update(infos: readonly ResourceInfo[]): TypesChange {
    const before = this.#followed
    this.#followed = new Map()
    this.#byReference = new Map()
    for (const info of infos) {
      const id = `${info.resource}.${info.group}`
      const known = before.get(id)
      const isSame = known?.version === info.version && known.namespaced === info.namespaced
      const type = isSame ? known : info
      for (const version of info.verbs.includes('get') ? info.servedVersions : [])
        this.#byReference.set(referenceOf(apiVersionOf({ group: info.group, version }), info.kind), type)
      if (this.#isFollowed(info)) this.#followed.set(id, type)
    }
    const isIn = (types: Map<string, CollectedType>, type: CollectedType) =>
      types.get(`${type.resource}.${type.group}`) === type
    return {
      added: [...this.#followed.values()].filter(type => !isIn(before, type)),
      removed: [...before.values()].filter(type => !isIn(this.#followed, type)),
    }
  }
  /** The type an owner reference names, in any version the server serves. */
  named(apiVersion: string, kind: string): CollectedType | undefined {
    return this.#byReference.get(referenceOf(apiVersion, kind))
  }

  #isFollowed({ group, resource, verbs }: ResourceInfo): boolean {
    const isIgnored = this.#ignored.some(one => one.group === group && one.resource === resource)
    return !isIgnored && (['list', 'watch', 'delete'] as const).every(verb => verbs.includes(verb))
  }
}

const referenceOf = (apiVersion: string, kind: string) => `${apiVersion} ${kind}`

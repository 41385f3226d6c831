import { apiVersionOf, type GroupResource, type KindInfo, type Kinds } from 'orch/sdk'

/** A type, in the one version in which this plugin reads it. */
export type CollectedType = Pick<KindInfo, 'group' | 'version' | 'resource' | 'namespaced'>

/** The types of a server, by what owner references call them. */
export class CollectedTypes {
  /** Those whose objects are followed: what cannot be listed, watched and deleted cannot be collected. */
  readonly followed: readonly CollectedType[]
  readonly #byReference = new Map<string, CollectedType>()

  constructor(kinds: Kinds, ignored: readonly GroupResource[]) {
    const types = new Map<string, CollectedType & Pick<KindInfo, 'verbs'>>()
    for (const kind of kinds.all) {
      const id = `${kind.resource}.${kind.group}`
      // The preferred version comes first and stands for all of them, so that one object has one identity.
      const type = types.get(id) ?? kind
      types.set(id, type)
      if (kind.verbs.includes('get')) this.#byReference.set(referenceOf(apiVersionOf(kind), kind.kind), type)
    }
    const isIgnored = (type: CollectedType) =>
      ignored.some(one => one.group === type.group && one.resource === type.resource)
    this.followed = [...types.values()].filter(
      type => ['list', 'watch', 'delete'].every(verb => type.verbs.includes(verb)) && !isIgnored(type),
    )
  }
  /** The type an owner reference names, in any version the server serves. */
  named(apiVersion: string, kind: string): CollectedType | undefined {
    return this.#byReference.get(referenceOf(apiVersion, kind))
  }
}

const referenceOf = (apiVersion: string, kind: string) => `${apiVersion} ${kind}`

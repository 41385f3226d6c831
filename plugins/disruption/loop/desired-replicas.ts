import type { ApiObject, OwnerReference } from 'orch/sdk'
import { type Client, type KindInfo, unlessLost } from 'orch/sdk/client'
import type { Pod, Scale } from 'orch/sdk/core'

/** Discovery is refreshed at most this often. */
const kindsTtlMs = 60_000

type Scaled = ApiObject & { spec?: { replicas?: number } }

/** Controllers that this loop may read, and the kind of their own controller. */
const readable: Readonly<Record<string, string | undefined>> = {
  ' ReplicationController': undefined,
  'apps ReplicaSet': 'apps Deployment',
  'apps StatefulSet': undefined,
}

/**
 * The desired replicas of the Pods' controllers. Clients can write any owner reference into a Pod, so only known kinds,
 * or the scale subresource, are read, only in the namespace of the Pod; and an object counts only if its uid matches
 * the reference.
 */
export class DesiredReplicas {
  readonly #client: Client
  readonly #now: () => number
  #kinds: ReturnType<Client['kinds']> | undefined
  #readAt = 0

  constructor(client: Client, now: () => number) {
    this.#client = client
    this.#now = now
  }

  async of(namespace: string, covered: readonly Pod[]): Promise<number> {
    const controllers = new Map<string, OwnerReference>()
    for (const { metadata } of covered) {
      const owner = metadata?.ownerReferences?.find(({ controller }) => controller)
      if (owner) controllers.set(owner.uid ?? '', owner as OwnerReference)
    }
    const counted = new Map<string, number>()
    for (const controller of controllers.values()) {
      const top = await this.#topOf(namespace, controller)
      if (top) counted.set(top.uid, top.replicas)
    }
    return [...counted.values()].reduce((sum, replicas) => sum + replicas, 0)
  }

  /** The object that sets the replica count: for a ReplicaSet that is its Deployment. */
  async #topOf(namespace: string, reference: OwnerReference): Promise<{ uid: string; replicas: number } | undefined> {
    const info = (await this.#knownKinds()).find(reference.kind, reference.apiVersion)
    if (!info) return undefined
    const kind = idOf(info)
    if (!Object.hasOwn(readable, kind)) return this.#scaleOf(namespace, info, reference)
    const found = await this.#find(namespace, info, reference)
    const owner = found?.metadata.ownerReferences?.find(({ controller }) => controller)
    const ownerInfo = owner && (await this.#knownKinds()).find(owner.kind, owner.apiVersion)
    const top =
      ownerInfo && idOf(ownerInfo) === readable[kind] ? await this.#find(namespace, ownerInfo, owner) : undefined
    const counting = top ?? found
    return counting && { uid: counting.metadata.uid ?? '', replicas: counting.spec?.replicas ?? 0 }
  }
  async #find(namespace: string, info: KindInfo, { name, uid }: OwnerReference): Promise<Scaled | undefined> {
    const found = await this.#client.resource<Scaled>(info).in(namespace).find(name)
    return found?.metadata.uid === uid ? found : undefined
  }
  async #scaleOf(namespace: string, info: KindInfo, { name, uid }: OwnerReference) {
    if (!info.namespaced || !info.subresources.includes('scale')) return undefined
    const collection = this.#client.resource(info).in(namespace)
    const scale = await unlessLost(collection.getSubresource<ApiObject & Scale>(name, 'scale'), 'NotFound')
    return scale?.metadata.uid === uid ? { uid, replicas: scale.spec?.replicas ?? 0 } : undefined
  }

  #knownKinds() {
    if (!this.#kinds || this.#now() - this.#readAt > kindsTtlMs) {
      this.#kinds = this.#client.kinds()
      this.#readAt = this.#now()
      // Failures are not cached.
      this.#kinds.catch(() => {
        this.#kinds = undefined
      })
    }
    return this.#kinds
  }
}

const idOf = ({ group, kind }: KindInfo) => `${group} ${kind}`

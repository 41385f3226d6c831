import { ApiError, type ApiObject } from 'orch/sdk'
import { type Client, isObjectNotFound, unlessLost } from 'orch/sdk/client'
import type { Identity } from './owner-graph.js'
import { foregroundFinalizer, type orphanFinalizer } from './propagation.js'

/** The API requests of the collector. All have the uid as a precondition, so that a recreated object is never affected. */
export class LiveObjects {
  readonly #client: Client
  constructor(client: Client) {
    this.#client = client
  }
  /** The current object; undefined if there is none with this uid. */
  async find(identity: Identity): Promise<ApiObject | undefined> {
    // A reference may contain any text. One that cannot be a name in a path refers to no object.
    if (!/^[^/%]+$/.test(identity.name) || identity.name === '.' || identity.name === '..') return undefined
    const found = await this.#collection(identity).find(identity.name)
    return found?.metadata.uid === identity.uid ? found : undefined
  }
  /** Deletes the object if it has not changed since `live` was read. Returns false if it has. */
  delete(identity: Identity, live: ApiObject, propagationPolicy: 'Foreground' | 'Background' | 'Orphan') {
    const preconditions = { uid: identity.uid, resourceVersion: live.metadata.resourceVersion ?? '' }
    return unlessChanged(this.#collection(identity).delete(identity.name, { propagationPolicy, preconditions }))
  }
  /** Changes metadata if the object has not changed since `live` was read. Returns false if it has. */
  patchMetadata(identity: Identity, live: ApiObject, change: Readonly<Record<string, unknown>>) {
    const { uid, resourceVersion } = live.metadata
    return unlessChanged(
      this.#collection(identity).patch(identity.name, { metadata: { uid, resourceVersion, ...change } }),
    )
  }
  /** Removes the reference to an owner, without conflicts with other changes of the object. */
  async removeOwner(identity: Identity, ownerUid: string): Promise<void> {
    const ownerReferences = [{ $patch: 'delete', uid: ownerUid }]
    const patch = { metadata: { uid: identity.uid, ownerReferences } }
    try {
      await unlessLost(this.#collection(identity).patch(identity.name, patch, { type: 'strategic' }), 'NotFound')
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 415)) throw error
      await this.#rewriteOwners(identity, ownerUid)
    }
  }
  /** For types without strategic merge patch, such as custom ones, the whole list is written. */
  async #rewriteOwners(identity: Identity, ownerUid: string): Promise<void> {
    for (;;) {
      const live = await this.find(identity)
      const owners = live?.metadata.ownerReferences ?? []
      const ownerReferences = owners.filter(({ uid }) => uid !== ownerUid)
      if (!live || ownerReferences.length === owners.length) return
      if (await this.patchMetadata(identity, live, { ownerReferences })) return
    }
  }
  async removeFinalizer(identity: Identity, finalizer: typeof foregroundFinalizer | typeof orphanFinalizer) {
    const live = await this.find(identity)
    const { finalizers = [] } = live?.metadata ?? {}
    if (!live || !finalizers.includes(finalizer)) return true
    return this.patchMetadata(identity, live, { finalizers: finalizers.filter(one => one !== finalizer) })
  }

  #collection({ type, namespace }: Identity) {
    const collection = this.#client.resource(type)
    return namespace === '' ? collection : collection.in(namespace)
  }
}

/** False on a conflict, after which the caller retries. An object that is already deleted counts as success. */
async function unlessChanged(work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    if (isObjectNotFound(error)) return true
    if (error instanceof ApiError && error.code === 409) return false
    throw error
  }
}

/** Whether the object is being deleted in the foreground. */
export const waitsForDependents = ({ metadata }: ApiObject): boolean =>
  Boolean(metadata.deletionTimestamp) && (metadata.finalizers?.includes(foregroundFinalizer) ?? false)

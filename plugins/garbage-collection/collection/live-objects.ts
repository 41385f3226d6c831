import { ApiError, type ApiObject } from 'orch/sdk'
import { type Client, isObjectNotFound, unlessLost } from 'orch/sdk/client'
import type { Identity } from './owner-graph.js'
import { foregroundFinalizer, type orphanFinalizer } from './propagation.js'

/** What collecting does to the API. Everything names the uid, so that an object made anew under the name is never hit. */
export class LiveObjects {
  readonly #client: Client
  constructor(client: Client) {
    this.#client = client
  }
  /** The object as the API has it now; undefined when there is none with this uid. */
  async find(identity: Identity): Promise<ApiObject | undefined> {
    // A reference may contain any text. One that cannot be a name in a path refers to no object.
    if (!/^[^/%]+$/.test(identity.name) || identity.name === '.' || identity.name === '..') return undefined
    const found = await this.#collection(identity).find(identity.name)
    return found?.metadata.uid === identity.uid ? found : undefined
  }
  /** Deletes the object if it is still as it was when `live` was read. Says whether it was. */
  delete(identity: Identity, live: ApiObject, propagationPolicy: 'Foreground' | 'Background' | 'Orphan') {
    const preconditions = { uid: identity.uid, resourceVersion: live.metadata.resourceVersion ?? '' }
    return unlessChanged(this.#collection(identity).delete(identity.name, { propagationPolicy, preconditions }))
  }
  /** Changes metadata if the object is still as it was when `live` was read. Says whether it was. */
  patchMetadata(identity: Identity, live: ApiObject, change: Readonly<Record<string, unknown>>) {
    const { uid, resourceVersion } = live.metadata
    return unlessChanged(
      this.#collection(identity).patch(identity.name, { metadata: { uid, resourceVersion, ...change } }),
    )
  }
  /** Takes an owner out of the references of an object, whatever else changes in it meanwhile. */
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
  /** Of a type whose lists are not merged by key, such as a custom one, the whole list is written. */
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

/** Another writer was faster: the caller looks again. Somebody else's deletion is as good as ours. */
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

/** Is the object on its way out, after everything it owns? */
export const waitsForDependents = ({ metadata }: ApiObject): boolean =>
  Boolean(metadata.deletionTimestamp) && (metadata.finalizers?.includes(foregroundFinalizer) ?? false)

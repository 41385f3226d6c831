import { ApiError, type ApiObject } from 'orch/sdk'
import { bodiesOf, type DescribingObject } from 'orch/sdk/host'
import type { DescribedObjects } from 'orch/sdk/server'
import { RequestContext } from '../contracts/request-context.js'
import type { RequestInfo } from '../contracts/request-info.js'
import { UnattendedExchange } from '../contracts/unattended-exchange.js'
import { countVersions } from '../storage/attributes.js'
import { VersionedStore } from '../storage/versioned-store.js'
import type { ResourceType } from '../types/resource-type.js'
import { fromStoredBody } from '../types/stored-json.js'
import { deleteObject } from './delete.js'
import type { ResourceServices } from './resource-services.js'

/** How many objects are deleted at once: enough to share commits, few enough to leave room for others. */
const parallelDeletes = 128

/** The objects of dynamic types, for the plugin that defines the type. */
export class StoredDescribedObjects implements DescribedObjects {
  readonly #services: () => ResourceServices
  constructor(services: () => ResourceServices) {
    this.#services = services
  }

  async deleteAll(describedBy: DescribingObject): Promise<number> {
    const { store } = this.#services()
    let left = 0
    for (const type of this.#typesOf(describedBy)) {
      const page = await store.list({ prefix: type.keyPrefix })
      let batch: ApiObject[] = []
      const flush = async () => {
        const deleting = batch
        batch = []
        await Promise.all(deleting.map(object => this.#delete(type, object)))
      }
      for await (const chunk of page.items) {
        for (const body of bodiesOf(chunk)) {
          batch.push(fromStoredBody(body))
          if (batch.length >= parallelDeletes) await flush()
        }
      }
      await flush()
      left += await store.count(type.keyPrefix)
    }
    return left
  }

  async storedVersions(describedBy: DescribingObject): Promise<readonly string[]> {
    const versions = new Set<string>()
    const { store } = this.#services()
    const stored = store instanceof VersionedStore ? store.asStored : store
    for (const type of this.#typesOf(describedBy))
      for (const version of (await countVersions(stored, type.storageKey)).keys())
        versions.add(version === '' ? type.storage.name : version)
    return [...versions]
  }

  #typesOf({ group, resource, namespace = '', name }: DescribingObject): readonly ResourceType[] {
    const { types } = this.#services()
    const source = types.get(group, resource)
    return source ? types.describedBy(source.key(namespace, name)) : []
  }

  async #delete(type: ResourceType, object: ApiObject): Promise<void> {
    const { metadata } = object
    if (metadata.deletionTimestamp && (metadata.finalizers?.length ?? 0) > 0) return
    const { namespace = '', name = '' } = metadata
    const context = new RequestContext(new UnattendedExchange(), infoOf(type, namespace, name), performance.now())
    try {
      await deleteObject(
        { services: this.#services(), context, type },
        name,
        { dryRun: false },
        { isAdmitted: true, object },
      )
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 404) throw error
    }
  }
}

const noQuery = new URLSearchParams()
const infoOf = ({ group, storage, resource }: ResourceType, namespace: string, name: string): RequestInfo => ({
  isResource: true,
  path: '',
  query: noQuery,
  verb: 'delete',
  group,
  version: storage.name,
  namespace,
  accessNamespace: namespace,
  isBelowNamespace: namespace !== '',
  resource,
  name,
  subresource: '',
  isUnroutable: false,
})

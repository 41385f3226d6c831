import type { ApiObject, Clock, OwnerReference } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import type { EventRecorder } from 'orch/sdk/controllers'
import type { Identity } from './owner-graph.js'

/** A search through all namespaces is expensive: if many owners are missing at once, only some are searched for. */
const betweenSearchesMs = 1000
/** Names that need no escaping in a selector. */
const plainName = /^[A-Za-z0-9.:_-]+$/

/** A reference, and the owner that it resolves to in the namespace of the dependent. */
export interface MissingOwner {
  readonly reference: OwnerReference
  readonly owner: Identity
}

export interface ForeignOwnersParts {
  readonly client: Client
  readonly clock: Clock
  readonly events: EventRecorder
  /** The group of PartialObjectMetadata. */
  readonly metaGroup: string
}

/** Records an event if an object is collected because its owner is in another namespace. */
export class ForeignOwners {
  readonly #parts: ForeignOwnersParts
  #nextSearchAt = Number.NEGATIVE_INFINITY

  constructor(parts: ForeignOwnersParts) {
    this.#parts = parts
  }

  /** Never fails, since it does not affect collection. */
  async report(dependent: ApiObject, missing: readonly MissingOwner[]): Promise<void> {
    for (const { reference, owner } of missing) {
      if (!owner.type.namespaced || !(await this.#existsElsewhere(owner))) continue
      const { apiVersion, kind, name, uid } = reference
      const { namespace = '' } = dependent.metadata
      const what = `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`
      const message = `ownerRef ${what} does not exist in namespace ${JSON.stringify(namespace)}`
      await this.#parts.events.record(dependent, 'Warning', 'OwnerRefInvalidNamespace', message)
    }
  }

  async #existsElsewhere({ type, name, uid }: Identity): Promise<boolean> {
    const { client, clock, metaGroup } = this.#parts
    const now = clock.now()
    if (!plainName.test(name) || now < this.#nextSearchAt) return false
    this.#nextSearchAt = now + betweenSearchesMs
    try {
      const fieldSelector = `metadata.name=${name}`
      const { items } = await client.resource(type).list({ fieldSelector, metadataOnly: metaGroup })
      return items.some(({ metadata }) => metadata.uid === uid)
    } catch {
      return false
    }
  }
}

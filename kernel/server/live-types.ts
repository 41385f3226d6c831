import { createHash } from 'node:crypto'
import type { ApiObject, Logger, ResourceDefinition } from 'orch/sdk'
import type { TypeSourceDefinition } from 'orch/sdk/host'
import { bodiesOf, type Store, type StoreEvent } from 'orch/sdk/host'
import type { Contribution } from '../registry/registry.js'
import type { ResourceTypes } from '../types/resource-types.js'
import { fromStoredBody } from '../types/stored-json.js'
import type { WatchHub } from '../watch/watch-hub.js'

/** A source with the services that it needs. */
export interface MountedSource extends Contribution<TypeSourceDefinition<never>> {
  readonly services: never
}
export interface LiveTypesParts {
  readonly types: ResourceTypes
  readonly store: Store
  readonly hub: WatchHub
  readonly logger: Logger
  readonly sources: readonly MountedSource[]
}

/**
 * Keeps the catalogue in sync with the objects of the sources. The hub delivers a change before its write is acknowledged, so that
 * the client finds the new types afterwards; requests in flight complete with the type that they started with.
 */
export class LiveTypes {
  readonly #parts: LiveTypesParts
  /** Fingerprints by key of the object. */
  readonly #known = new Map<string, string>()

  constructor(parts: LiveTypesParts) {
    this.#parts = parts
  }

  /** Serves the current types and follows changes. */
  async start(): Promise<void> {
    await Promise.all(this.#parts.sources.map(source => this.#follow(source)))
  }

  async #follow(source: MountedSource): Promise<void> {
    const { types, store, hub } = this.#parts
    const { group, resource } = source.definition.from
    const type = types.get(group, resource)
    // The type of the source is turned off, or its plugin is not enabled.
    if (type === undefined) return
    let early: StoreEvent[] | undefined = []
    hub.listen(type.storageKey, event => (early === undefined ? this.#changed(source, event) : early.push(event)))
    const page = await store.list({ prefix: type.keyPrefix })
    for await (const chunk of page.items) {
      for (const body of bodiesOf(chunk)) {
        const object = fromStoredBody(body)
        const { namespace = '', name = '' } = object.metadata
        this.#describe(source, type.key(namespace, name), object)
      }
    }
    for (const event of early) if (event.revision > page.revision) this.#changed(source, event)
    early = undefined
  }

  #changed(source: MountedSource, { type, key, body }: StoreEvent): void {
    if (type !== 'delete') return this.#describe(source, key, fromStoredBody(body))
    if (this.#known.delete(key)) this.#replace(source, key, [])
  }

  #describe(source: MountedSource, key: string, object: ApiObject): void {
    const { definition, services } = source
    try {
      // Hashed, because there may be thousands, each as long as its object.
      const fingerprint = createHash('sha256').update(definition.fingerprint(object)).digest('base64')
      if (this.#known.get(key) === fingerprint) return
      this.#replace(source, key, definition.types(object, services))
      this.#known.set(key, fingerprint)
    } catch (error) {
      // Its types stay as they were: an invalid object must not remove types.
      this.#parts.logger.error('the types of an object could not be read', { source: definition.name, key, error })
    }
  }

  #replace({ plugin, definition }: MountedSource, key: string, described: readonly ResourceDefinition[]): void {
    const { types, hub, logger } = this.#parts
    const { retired, refused } = types.replace(key, plugin, described)
    for (const type of retired) hub.endWatches(type.storageKey)
    for (const name of refused)
      logger.warn('a type is not served: its name is taken', { source: definition.name, name })
  }
}

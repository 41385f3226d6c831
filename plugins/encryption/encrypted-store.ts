import { andThen } from 'orch/sdk'
import {
  ForwardingStore,
  type ListPage,
  type ListRequest,
  type Revision,
  StorageError,
  type Store,
  type StoredObject,
  type StoreEvent,
  type Write,
  type WriteResult,
  withVersion,
} from 'orch/sdk/host'
import { encryptedAttributes, isEncryptedMark, isSealed, openBody, openedObject, sealBody } from './envelope.js'
import { type CollectionKeys, collectionOf, type KeyRing } from './key-ring.js'
import { type NotedKeys, notedKeysKey } from './noted-keys.js'
import { chunkRequest, openedChunks } from './opened-chunks.js'
import { EventOrder, isConcerned, openedEvent } from './opened-event.js'
import { OpenedObjects } from './opened-objects.js'
import type { ValueKey } from './providers/value-key.js'

type Found = StoredObject | undefined

export interface EncryptedStoreOptions {
  /** The keys of now. */
  ring(): KeyRing
  /** Where it is noted which keys are in use. */
  readonly notes?: NotedKeys
  /** Called when it is closed. */
  onClose?(): void
}

/**
 * A store whose objects are encrypted on their way to the engine and decrypted on their way back, where the configuration says
 * so. Everything else passes: an object that is not concerned costs a look at the start of its key.
 */
export class EncryptedStore extends ForwardingStore {
  readonly #options: EncryptedStoreOptions
  readonly #events = new EventOrder()
  readonly #opened = new OpenedObjects()
  /** What became of writes, for those that build on them. */
  readonly #sealed = new WeakMap<Write, Write>()
  /** Writes wait here while a key is noted, so that they stay in order. */
  #queue: Promise<void> | undefined

  constructor(store: Store, options: EncryptedStoreOptions) {
    super(store)
    this.#options = options
  }

  override get(key: string, notOlderThan?: Revision): Found | Promise<Found> {
    const found = this.inner.get(key, notOlderThan)
    const keys = this.#options.ring().of(key)
    if (keys === undefined) return found
    return andThen(found, object => this.#read(keys, object))
  }
  #read(keys: CollectionKeys, found: Found): Found | Promise<Found> {
    // With KMS a value can become outdated without a new configuration, so it is not cached.
    const mayBeKnown = found !== undefined && isEncryptedMark(found.attributes) && !keys.write?.isOutdated
    if (!mayBeKnown) return openFound(keys, found)
    const known = this.#opened.find(keys, found)
    if (known) return known
    const opened = openFound(keys, found)
    const kept = (object: StoredObject) => {
      this.#opened.keep(keys, object)
      return object
    }
    return andThen(opened, object => object && kept(object))
  }

  override list(request: ListRequest): ListPage | Promise<ListPage> {
    const ring = this.#options.ring()
    if (!ring.isConcerned(request.prefix)) return this.inner.list(request)
    const page = this.inner.list(chunkRequest(request))
    const opened = ({ revision, items }: ListPage) => ({ revision, items: openedChunks(items, request, ring) })
    return andThen(page, opened)
  }

  override async write(write: Write): Promise<WriteResult> {
    const keys = this.#options.ring().of(write.key)
    const toStore = this.#toStore(write, keys)
    const turn = this.#turn(write.key, toStore === write ? undefined : keys?.write)
    if (turn) await turn
    const result = await this.inner.write(toStore)
    if (this.#events.pending) await this.#events.pending
    if (keys === undefined) return result
    if (!result.ok) return { ...result, current: await openFound(keys, result.current) }
    return { ...result, body: write.body && withVersion(write.body, result.revision) }
  }

  override subscribe(deliver: (events: readonly StoreEvent[]) => void): () => void {
    const inOrder = this.#events.subscription(deliver)
    return this.inner.subscribe(events => {
      const isPlain = events.every(event => !isConcerned(event))
      inOrder(isPlain ? events : events.map(event => this.#openedEvent(event)))
    })
  }

  override history(prefix: string, from: Revision, to: Revision): Iterable<StoreEvent> | AsyncIterable<StoreEvent> {
    const events = this.inner.history(prefix, from, to)
    return this.#options.ring().isConcerned(prefix) ? this.#openedHistory(events) : events
  }
  async *#openedHistory(events: Iterable<StoreEvent> | AsyncIterable<StoreEvent>): AsyncIterable<StoreEvent> {
    for await (const event of events) yield await this.#openedEvent(event)
  }

  override async close(): Promise<void> {
    await this.#queue?.catch(() => {})
    await this.inner.close()
    this.#options.onClose?.()
  }

  #openedEvent(event: StoreEvent): StoreEvent | Promise<StoreEvent> {
    const keys = isConcerned(event) ? this.#options.ring().of(event.key) : undefined
    return keys === undefined ? event : openedEvent(keys, event)
  }

  /** The write for the engine; the same one if nothing has to be encrypted. */
  #toStore(write: Write, keys: CollectionKeys | undefined): Write {
    const { key, body, lastBody, attributes } = write
    if (key === notedKeysKey && this.#options.notes) return { ...write, body: this.#options.notes.joinedWith(body) }
    const after = write.after && this.#sealed.get(write.after)
    const valueKey = isSealed(body) ? undefined : keys?.write
    const hasBody = body !== undefined || lastBody !== undefined
    if (after === undefined && (valueKey === undefined || !hasBody)) return write
    const sealed: Write = {
      ...write,
      ...(after ? { after } : {}),
      ...(valueKey && body ? { body: sealBody(valueKey, key, body, attributes ?? nothing) } : {}),
      ...(valueKey && lastBody ? { lastBody: sealBody(valueKey, key, lastBody, attributes) } : {}),
      ...(valueKey && hasBody ? { attributes: encryptedAttributes } : {}),
    }
    this.#sealed.set(write, sealed)
    return sealed
  }

  /** A write waits until its encryption key is recorded, and for earlier writes that wait for that. */
  #turn(key: string, valueKey: ValueKey | undefined): Promise<void> | undefined {
    const collection = collectionOf(key)
    const noting =
      valueKey === undefined || collection === undefined ? undefined : this.#options.notes?.note(collection, valueKey)
    const before = this.#queue
    if (noting === undefined && before === undefined) return undefined
    const turn = (before?.catch(() => {}) ?? Promise.resolve()).then(() => noting)
    this.#queue = turn
    const done = () => {
      if (this.#queue === turn) this.#queue = undefined
    }
    turn.then(done, done)
    return turn
  }
}
const nothing = Buffer.alloc(0)

function openFound(keys: CollectionKeys, found: Found): Found | Promise<Found> {
  if (found === undefined) return undefined
  const { key, modRevision, body, attributes } = found
  const refuse = (error: unknown): never => {
    if (error instanceof StorageError) error.revision = modRevision
    throw error
  }
  try {
    return andThen(openBody(keys, key, body, attributes), opened => openedObject(key, modRevision, opened), refuse)
  } catch (error) {
    return refuse(error)
  }
}

import { andThen } from 'orch/sdk'
import {
  type AttributeFilter,
  bodiesOf,
  ForwardingStore,
  type ListChunk,
  type ListPage,
  type ListRequest,
  type Revision,
  StorageError,
  type Store,
  type StoredObject,
  type StoreEvent,
  type Write,
  type WriteResult,
} from 'orch/sdk/host'

/** An object's body and what is kept beside it. */
export interface StoredForm {
  readonly body: Buffer
  readonly attributes: Buffer
}
/** In which version the objects of a collection are written, and how those of other versions are read. */
export interface CollectionForm {
  /** Whether an object with these attributes can be read without conversion. */
  readonly isCurrent: (bytes: Buffer, start: number, end: number) => boolean
  /**
   * Whether the next write of an object with these attributes changes its stored form. By default if it is not current.
   */
  readonly isOutdated?: (attributes: Buffer) => boolean
  /** The object in the version that is written now. Throws when that is not possible. */
  convert(stored: StoredForm): StoredForm
}
/** Finds collections by the prefix of their keys, `group/resource`. */
export type FormOf = (collection: string) => CollectionForm | undefined

/** `group/resource` of a key; undefined if it is not the key of an object. */
export function collectionOf(key: string): string | undefined {
  const end = key.indexOf('/', key.indexOf('/') + 1)
  return end < 0 ? undefined : key.slice(0, end)
}

/** Every collection that has objects, whether its type is registered or not; one short read each. */
export async function* collectionsOf(store: Pick<Store, 'list'>): AsyncIterable<string> {
  let after: string | undefined
  for (;;) {
    const page = await store.list({ prefix: '', keys: true, limit: 1, ...(after === undefined ? {} : { after }) })
    let key: string | undefined
    for await (const chunk of page.items) key ??= chunk.keys?.[0]
    if (key === undefined) return
    const collection = collectionOf(key)
    if (collection !== undefined && !key.startsWith('.')) yield collection
    // Sorts after all keys with this prefix: no name contains this character.
    after = collection === undefined ? key : `${collection}/\uffff`
  }
}

/**
 * A store all of whose objects are of the version that is written now. What is stored in another version is converted
 * when it is read and stays as it is; the next write of the object, or `orch storage migrate`, replaces it. An object
 * that needs no conversion only costs reading a few bytes.
 */
export class VersionedStore extends ForwardingStore {
  readonly #formOf: FormOf

  constructor(store: Store, formOf: FormOf) {
    super(store)
    this.#formOf = formOf
  }

  override get(key: string, notOlderThan?: Revision): StoredObject | undefined | Promise<StoredObject | undefined> {
    return andThen(this.inner.get(key, notOlderThan), found => this.#current(found))
  }

  /** Objects in the versions that they are stored in. */
  get asStored(): Store {
    return this.inner
  }

  override list(request: ListRequest): ListPage | Promise<ListPage> {
    const form = this.#formFor(request.prefix)
    if (form === undefined) return this.inner.list(request)
    const { filter } = request
    const { isCurrent } = form
    // Attributes of other versions may differ, so they are evaluated after conversion.
    const wide = filter && widened(filter, isCurrent)
    const page = this.inner.list({ ...request, isUsual: isCurrent, ...(wide ? { filter: wide } : {}) })
    const converted = ({ revision, items }: ListPage) => ({ revision, items: new CurrentChunks(items, form, filter) })
    return andThen(page, converted)
  }

  override write(write: Write): Promise<WriteResult> {
    const shown = (result: WriteResult) => (result.ok ? result : { ...result, current: this.#current(result.current) })
    return this.inner.write(write).then(shown)
  }

  override subscribe(deliver: (events: readonly StoreEvent[]) => void): () => void {
    return this.inner.subscribe(events => {
      const isAllCurrent = events.every(event => this.#currentEvent(event) === event)
      deliver(isAllCurrent ? events : events.map(event => this.#currentEvent(event)))
    })
  }

  override history(prefix: string, from: Revision, to: Revision): Iterable<StoreEvent> | AsyncIterable<StoreEvent> {
    const events = this.inner.history(prefix, from, to)
    return Symbol.iterator in events ? this.#currentEvents(events) : this.#laterEvents(events)
  }
  *#currentEvents(events: Iterable<StoreEvent>): Iterable<StoreEvent> {
    for (const event of events) yield this.#currentEvent(event)
  }
  async *#laterEvents(events: AsyncIterable<StoreEvent>): AsyncIterable<StoreEvent> {
    for await (const event of events) yield this.#currentEvent(event)
  }

  #formFor(key: string): CollectionForm | undefined {
    const collection = collectionOf(key)
    return collection === undefined ? undefined : this.#formOf(collection)
  }
  #current(found: StoredObject | undefined): StoredObject | undefined {
    const form = found && this.#formFor(found.key)
    if (form === undefined || isCurrentIn(form, found!.attributes)) return found
    const isConverted = found!.isConverted || (form.isOutdated?.(found!.attributes) ?? true)
    try {
      return { ...found!, ...form.convert(found!), isConverted }
    } catch (error) {
      if (error instanceof StorageError) error.revision = found!.modRevision
      throw error
    }
  }
  #currentEvent(event: StoreEvent): StoreEvent {
    const form = this.#formFor(event.key)
    if (form === undefined) return event
    const { attributes, previousAttributes } = event
    const isCurrent = isCurrentIn(form, attributes) && (!previousAttributes || isCurrentIn(form, previousAttributes))
    return isCurrent ? event : new ConvertedEvent(event, form)
  }
}

/** Also accepts objects that may match after conversion. Objects that a lookup omits are usual, and do not match. */
function widened(filter: AttributeFilter, isCurrent: CollectionForm['isCurrent']): AttributeFilter {
  const wide = (bytes: Buffer) => !isCurrent(bytes, 0, bytes.length) || filter(bytes)
  return filter.lookups ? Object.assign(wide, { lookups: filter.lookups }) : wide
}

const isCurrentIn = ({ isCurrent }: CollectionForm, attributes: Buffer): boolean =>
  isCurrent(attributes, 0, attributes.length)

/** The chunks of a list, with the bodies of other versions converted. */
class CurrentChunks implements AsyncIterable<ListChunk> {
  readonly #items: ListPage['items']
  readonly #form: CollectionForm
  readonly #filter: ListRequest['filter']

  constructor(items: ListPage['items'], form: CollectionForm, filter: ListRequest['filter']) {
    this.#items = items
    this.#form = form
    this.#filter = filter
  }

  async *[Symbol.asyncIterator](): AsyncIterator<ListChunk> {
    for await (const chunk of this.#items) yield chunk.otherAttributes === undefined ? chunk : this.#convert(chunk)
  }

  /** Objects that the filter rejects after conversion make the chunk shorter, and so possibly a list with a limit. */
  #convert({ otherAttributes, keys, converted: _, ...chunk }: ListChunk): ListChunk {
    const bodies: Buffer[] = []
    const offsets: number[] = []
    const keptKeys: string[] = []
    let length = 0
    let index = -1
    for (const body of bodiesOf(chunk)) {
      const attributes = otherAttributes?.get(++index)
      const shown = attributes === undefined ? undefined : this.#form.convert({ body, attributes })
      if (shown !== undefined && this.#filter?.(shown.attributes) === false) continue
      const kept = shown?.body ?? body
      if (bodies.length > 0) bodies.push(comma)
      offsets.push(length + (bodies.length > 0 ? 1 : 0))
      length = offsets.at(-1)! + kept.length
      bodies.push(kept)
      if (keys) keptKeys.push(keys[index]!)
    }
    const joined = Buffer.concat(bodies)
    return { ...chunk, joined, offsets, count: offsets.length, ...(keys ? { keys: keptKeys } : {}) }
  }
}
const comma = Buffer.from(',')

/** An event whose object, before or after it, was stored in another version. It is converted on access. */
class ConvertedEvent implements StoreEvent {
  readonly revision: Revision
  readonly type: StoreEvent['type']
  readonly key: string
  readonly #event: StoreEvent
  readonly #form: CollectionForm
  #shown: StoredForm | undefined
  #previous: StoredForm | undefined

  constructor(event: StoreEvent, form: CollectionForm) {
    this.revision = event.revision
    this.type = event.type
    this.key = event.key
    this.#event = event
    this.#form = form
  }

  get body(): Buffer {
    return this.#after().body
  }
  get attributes(): Buffer {
    return this.#after().attributes
  }
  get previousAttributes(): Buffer | undefined {
    return this.#before()?.attributes
  }
  previousBody(): Buffer | undefined {
    return this.#before()?.body
  }

  #after(): StoredForm {
    this.#shown ??= this.#current(this.#event)
    return this.#shown
  }
  #before(): StoredForm | undefined {
    const { previousAttributes: attributes } = this.#event
    const body = attributes && this.#event.previousBody()
    if (attributes === undefined || body === undefined) return undefined
    this.#previous ??= this.#current({ body, attributes })
    return this.#previous
  }
  #current(stored: StoredForm): StoredForm {
    return isCurrentIn(this.#form, stored.attributes) ? stored : this.#form.convert(stored)
  }
}

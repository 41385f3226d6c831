import { isPromise } from 'orch/sdk'
import { type Revision, StorageError, type StoreEvent } from 'orch/sdk/host'
import { isEncryptedMark, type Opened, openBody } from './envelope.js'
import type { CollectionKeys } from './key-ring.js'

/** Whether the object was encrypted before or after the event. */
export const isConcerned = ({ attributes, previousAttributes }: StoreEvent): boolean =>
  isEncryptedMark(attributes) || isEncryptedMark(previousAttributes)

/** An event of an encrypted object. A failure to decrypt affects only those who read the object. */
export function openedEvent(keys: CollectionKeys, event: StoreEvent): StoreEvent | Promise<StoreEvent> {
  const { key, attributes, previousAttributes } = event
  const after = attempt(() => openBody(keys, key, event.body, attributes))
  const previousBody = previousAttributes && event.previousBody()
  const before = previousBody && attempt(() => openBody(keys, key, previousBody, previousAttributes))
  if (isPromise(after) || isPromise(before))
    return Promise.all([after, before]).then(([one, other]) => new OpenedEvent(event, one, other))
  return new OpenedEvent(event, after, before)
}

type Attempt = Opened | StorageError
function attempt(open: () => Opened | Promise<Opened>): Attempt | Promise<Attempt> {
  try {
    const opened = open()
    return isPromise(opened) ? opened.catch(failureOf) : opened
  } catch (error) {
    return failureOf(error)
  }
}
function failureOf(error: unknown): StorageError {
  if (error instanceof StorageError) return error
  throw error
}

class OpenedEvent implements StoreEvent {
  readonly revision: Revision
  readonly type: StoreEvent['type']
  readonly key: string
  readonly previousAttributes: Buffer | undefined
  readonly attributes: Buffer
  readonly #after: Attempt
  readonly #before: Attempt | undefined

  constructor(event: StoreEvent, after: Attempt, before: Attempt | undefined) {
    this.revision = event.revision
    this.type = event.type
    this.key = event.key
    this.#after = after
    this.#before = before
    // An object that cannot be decrypted matches no selector; reading it throws the reason.
    const readable = (each: Attempt | undefined) => (each instanceof StorageError ? undefined : each?.attributes)
    this.previousAttributes = event.previousAttributes && (readable(before) ?? event.previousAttributes)
    this.attributes = readable(after) ?? this.previousAttributes ?? event.attributes
  }

  get body(): Buffer {
    return bodyOf(this.#after)
  }
  previousBody(): Buffer | undefined {
    return this.#before && bodyOf(this.#before)
  }
}

function bodyOf(opened: Attempt): Buffer {
  if (opened instanceof StorageError) throw opened
  return opened.body
}

/**
 * Keeps events in order while the key of one is requested. A writer waits for delivery, so that subscribers have its event
 * when the write succeeds.
 */
export class EventOrder {
  #pending: Promise<void> | undefined

  /** Settles when all events so far are delivered; undefined if none is pending. Never rejects. */
  get pending(): Promise<void> | undefined {
    return this.#pending
  }

  subscription(deliver: (events: readonly StoreEvent[]) => void) {
    let tail: Promise<void> | undefined
    return (events: readonly (StoreEvent | Promise<StoreEvent>)[]): void => {
      const isReady = tail === undefined && !events.some(isPromise)
      if (isReady) return deliver(events as readonly StoreEvent[])
      const before = tail
      const mine = Promise.all(events).then(async opened => {
        await before
        deliver(opened)
      })
      tail = mine
      const all = Promise.all([this.#pending, mine]).then(() => {
        if (tail === mine) tail = undefined
        if (this.#pending === all) this.#pending = undefined
      })
      this.#pending = all
    }
  }
}

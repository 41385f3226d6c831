import type { Duplex } from 'node:stream'
import { ApiError } from 'orch/sdk'
import { isObject, type JsonObject } from '../../libs/json/index.js'
import { FrameError, Frames } from './frames.js'

/** An error thrown at the other end, as it is sent. */
export interface SentFailure {
  readonly message: string
  readonly stack?: string
  /** Set for an ApiError, which becomes the response to the client. */
  readonly code?: number
  readonly reason?: string
  readonly details?: unknown
}
/** Code at the other end threw an error. */
export class RemoteError extends Error {}
/** The other end is gone, or there is no point in waiting for it. */
export class LinkClosed extends Error {}

/** Handles the messages of a topic. The return value is the answer to a call. */
export type Handler = (content: JsonObject) => unknown

interface Waiting {
  readonly dueAt: number
  readonly topic: string
  resolve(answer: unknown): void
  reject(error: Error): void
}

export interface LinkOptions {
  readonly maxBytes: number
  readonly handlers: Readonly<Record<string, Handler>>
  /** The other end sent something that is not a valid message. */
  broken(why: string): void
  /** A call was not answered in time. It stays pending; the owner of the process decides whether to end it. */
  overdue?(topic: string): void
}

/** A body waits while more than this is unsent. */
const maxWaitingBytes = 1024 * 1024
/** The precision of deadlines. */
const tickMs = 50

/** Calls and one-way messages between a server and a plugin process; both ends use the same class. */
export class CallLink {
  readonly #frames: Frames
  readonly #options: LinkOptions
  readonly #waiting = new Map<number, Waiting>()
  #calls = 0
  #ticking: NodeJS.Timeout | undefined
  #closed: Error | undefined

  constructor(stream: Duplex, options: LinkOptions) {
    this.#options = options
    const receive = (message: unknown) => this.#receive(message)
    this.#frames = new Frames(stream, options.maxBytes, receive, why => options.broken(why.message))
  }

  get waiting(): number {
    return this.#waiting.size
  }
  get unsentBytes(): number {
    return this.#frames.unsentBytes
  }
  get takenBytes(): number {
    return this.#frames.takenBytes
  }
  /** Waits until the other end has read almost everything that was sent. */
  room(signal: AbortSignal): Promise<void> {
    return this.#frames.room(maxWaitingBytes, signal)
  }

  /** Sends a one-way message and returns its length. */
  notify(topic: string, content: object): number {
    return this.#closed ? 0 : this.#frames.send({ t: topic, c: content })
  }

  /** Rejects with an ApiError or RemoteError that the other end threw, or with LinkClosed. */
  call(topic: string, content: object, timeoutMs: number): Promise<unknown> {
    if (this.#closed) return Promise.reject(this.#closed)
    const id = ++this.#calls
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { dueAt: performance.now() + timeoutMs, topic, resolve, reject })
      this.#frames.send({ t: topic, c: content, i: id })
      this.#ticking ??= setInterval(() => this.#tick(), tickMs).unref()
    })
  }

  /** Pending and later calls fail with this error. */
  close(why: Error): void {
    this.#closed ??= why
    clearInterval(this.#ticking)
    for (const { reject } of this.#waiting.values()) reject(why)
    this.#waiting.clear()
  }

  #tick(): void {
    const now = performance.now()
    if (this.#waiting.size === 0) {
      clearInterval(this.#ticking)
      this.#ticking = undefined
    }
    for (const { dueAt, topic } of this.#waiting.values())
      if (dueAt < now) {
        this.#options.overdue?.(topic)
        return
      }
  }

  #receive(message: unknown): void {
    if (this.#closed) return
    if (!isObject(message)) throw new FrameError('a message that is not an object')
    const { t: topic, c: content, i: id, a: answers, e: failure } = message
    if (typeof answers === 'number') this.#settle(answers, content, failure)
    else if (typeof topic !== 'string' || !isObject(content)) throw new FrameError('a message without a topic')
    else this.#handle(topic, content, typeof id === 'number' ? id : undefined)
  }

  #settle(id: number, content: unknown, failure: unknown): void {
    const waiting = this.#waiting.get(id)
    if (!waiting) throw new FrameError('an answer to no pending call')
    this.#waiting.delete(id)
    if (failure === undefined) waiting.resolve(content)
    else waiting.reject(errorFrom(failure))
  }

  #handle(topic: string, content: JsonObject, id: number | undefined): void {
    const handler = Object.hasOwn(this.#options.handlers, topic) ? this.#options.handlers[topic] : undefined
    if (!handler) throw new FrameError(`a message "${topic.slice(0, 40)}", which has no handler`)
    if (id === undefined) {
      handler(content)
      return
    }
    const answer = (given: unknown) => this.#closed ?? this.#frames.send({ a: id, c: given ?? null })
    const fail = (thrown: unknown) => this.#closed ?? this.#frames.send({ a: id, e: sentFailure(thrown) })
    try {
      const given = handler(content)
      if (isThenable(given)) given.then(answer, fail)
      else answer(given)
    } catch (thrown) {
      fail(thrown)
    }
  }
}

const isThenable = (value: unknown): value is Promise<unknown> => isObject(value) && typeof value['then'] === 'function'

const maxText = 16_384
const text = (value: unknown): string => (typeof value === 'string' ? value.slice(0, maxText) : '')

export function sentFailure(thrown: unknown): SentFailure {
  if (!(thrown instanceof Error)) return { message: text(String(thrown)) }
  const { message, stack } = thrown
  const shared = { message: text(message), stack: text(stack) }
  if (!(thrown instanceof ApiError)) return shared
  const { code, reason, details } = thrown
  return { ...shared, code, reason, ...(details === undefined ? {} : { details }) }
}

/** The error described by the other end, limited to known fields and to a length that a client may be shown. */
export function errorFrom(failure: unknown): Error {
  if (!isObject(failure)) return new RemoteError('it failed without a message')
  const { message, stack, code, reason, details } = failure
  if (typeof code === 'number' && Number.isInteger(code) && code >= 400 && code <= 599) {
    return new ApiError(code, text(reason), text(message), isObject(details) ? detailsFrom(details) : undefined)
  }
  const error = new RemoteError(text(message))
  if (typeof stack === 'string') error.stack = text(stack)
  return error
}

const maxCauses = 1_000
function detailsFrom({ name, group, kind, uid, causes, retryAfterSeconds }: JsonObject) {
  const given = { name: text(name), group: text(group), kind: text(kind), uid: text(uid) }
  const list = Array.isArray(causes) ? causes.slice(0, maxCauses).filter(isObject) : []
  return {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '')),
    ...(list.length === 0 ? {} : { causes: list.map(causeFrom) }),
    ...(typeof retryAfterSeconds === 'number' ? { retryAfterSeconds } : {}),
  }
}
/** A cause has the fields that were sent, and no empty ones beside them. */
const causeFrom = (cause: JsonObject) =>
  Object.fromEntries(causeFields.filter(name => name in cause).map(name => [name, text(cause[name])]))
const causeFields = ['reason', 'message', 'field']

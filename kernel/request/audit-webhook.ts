import { ApiError, type Clock, type Logger } from 'orch/sdk'
import type { WebhookEndpoint } from 'orch/sdk/client'
import type { AuditRecordType } from 'orch/sdk/host'
import { Losses } from '../observe/losses.js'
import type { AuditSink } from './audit.js'

export interface AuditWebhookParts {
  readonly endpoint: Pick<WebhookEndpoint, 'post' | 'close'>
  readonly recordType: AuditRecordType
  readonly clock: Clock
  readonly logger: Logger
  /**
   * `batch` sends when a batch is full or its oldest event has waited long enough. `blocking` sends at once while the request waits;
   * `blocking-strict` also rejects the request when that fails.
   */
  readonly mode: 'batch' | 'blocking' | 'blocking-strict'
  readonly maxBatchEvents: number
  readonly maxWaitMs: number
  readonly maxBufferedEvents: number
  readonly maxBufferedBytes: number
  /** A larger batch is split; a larger event is sent alone. */
  readonly maxBatchBytes: number
  /** How many batches may be sent per second, and in a burst; undefined for no limit. Does not apply while a request waits. */
  readonly throttle?: { readonly perSecond: number; readonly burst: number } | undefined
  /** How long to wait after a failure; grows with each further one. */
  readonly firstBackoffMs: number
  /** Called with the number of lost events. */
  onLoss(events: number): void
}

interface Waiting {
  readonly event: string
  readonly settle?: (failure?: Error) => void
}

const attempts = 5
const backoffFactor = 1.5
/** How long the shutdown of the server waits for pending events. */
const lastSendMs = 5000

/**
 * Sends audit events to another server. One batch is in flight at a time: the slower the receiver, the larger the batches;
 * when the buffer is full, new events are dropped and counted.
 */
export class AuditWebhook implements AuditSink {
  readonly #parts: AuditWebhookParts
  readonly #losses: Losses
  /** The first aborts the batch that was in flight when the shutdown began, the second everything else. */
  readonly #endingFirst = new AbortController()
  readonly #ending = new AbortController()
  #waiting: Waiting[] = []
  #waitingBytes = 0
  #cancelTimer: (() => void) | undefined
  #sending: Promise<void> | undefined
  #isClosed = false
  /** Batches that may be sent now. */
  #budget: number
  #budgetAt: number
  /** Ends a pause between two attempts. */
  #endPause: () => void = () => {}

  constructor(parts: AuditWebhookParts) {
    this.#parts = parts
    this.#losses = new Losses('the audit webhook', parts.logger, parts.onLoss)
    this.#budget = parts.throttle?.burst ?? 0
    this.#budgetAt = parts.clock.now()
  }

  write(event: string): void | Promise<void> {
    const { mode, maxBufferedEvents, maxBufferedBytes } = this.#parts
    if (this.#isClosed) return
    if (this.#waiting.length >= maxBufferedEvents || this.#waitingBytes + event.length > maxBufferedBytes) {
      this.#losses.add(1, 'too many events are waiting for it')
      return mode === 'blocking-strict' ? Promise.reject(new Error('too many audit events are waiting')) : undefined
    }
    this.#waitingBytes += event.length
    if (mode === 'batch') this.#waiting.push({ event })
    const sent = mode === 'batch' ? undefined : this.#waitFor(event, mode === 'blocking-strict')
    this.#sendIfDue()
    return sent
  }

  /** Sends pending events, if that is possible in time. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    const { clock } = this.#parts
    // A receiver that has stopped answering must not use up all the time: its batch is sent once more, with the rest.
    const cancelFirst = clock.after(lastSendMs / 2, () => this.#endingFirst.abort())
    const cancel = clock.after(lastSendMs, () => this.#ending.abort())
    this.#cancelTimer?.()
    this.#endPause()
    await this.#sending
    if (this.#waiting.length > 0) await this.#send()
    cancelFirst()
    cancel()
    this.#losses.end()
    await this.#parts.endpoint.close()
  }

  #waitFor(event: string, isStrict: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (failure?: Error) => (failure && isStrict ? reject(failure) : resolve())
      this.#waiting.push({ event, settle })
    })
  }

  #sendIfDue(): void {
    const { mode, maxBatchEvents, maxBatchBytes, maxWaitMs, clock } = this.#parts
    if (this.#sending || this.#waiting.length === 0) return
    const isFull = this.#waiting.length >= maxBatchEvents || this.#waitingBytes >= maxBatchBytes
    if (mode !== 'batch' || isFull) this.#begin()
    else this.#cancelTimer ??= clock.after(maxWaitMs, () => this.#begin())
  }

  #begin(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    if (this.#sending) return
    this.#sending = this.#send().then(() => {
      this.#sending = undefined
      if (!this.#isClosed) this.#sendIfDue()
    })
  }

  /** Sends the pending events, batch by batch. */
  async #send(): Promise<void> {
    for (let left = this.#waiting.length; left > 0; ) {
      await this.#throttle()
      const batch = this.#takeBatch()
      left -= batch.length
      const failure = await this.#deliver(batch)
      for (const { settle } of batch) settle?.(failure)
    }
  }

  /** Waits until another batch may be sent. Events that arrive meanwhile join it. */
  async #throttle(): Promise<void> {
    const { throttle, mode, clock } = this.#parts
    if (throttle === undefined || mode !== 'batch') return
    const { perSecond, burst } = throttle
    const now = clock.now()
    const grown = ((now - this.#budgetAt) / 1000) * perSecond
    this.#budget = Math.min(burst, this.#budget + grown)
    this.#budgetAt = now
    this.#budget -= 1
    // During shutdown there is no time to throttle.
    if (this.#budget < 0 && !this.#isClosed) await this.#pause((-this.#budget / perSecond) * 1000)
  }

  #takeBatch(): Waiting[] {
    const { maxBatchEvents, maxBatchBytes } = this.#parts
    let [count, bytes] = [0, 0]
    for (const { event } of this.#waiting) {
      if (count === maxBatchEvents || (count > 0 && bytes + event.length > maxBatchBytes)) break
      count++
      bytes += event.length
    }
    this.#waitingBytes -= bytes
    return this.#waiting.splice(0, count)
  }

  /** Why a batch could not be delivered after all attempts. */
  async #deliver(batch: readonly Waiting[]): Promise<Error | undefined> {
    const { endpoint, recordType, firstBackoffMs } = this.#parts
    const items = batch.map(({ event }) => event).join(',')
    const body = `{"kind":"${recordType.kind}List","apiVersion":"${recordType.apiVersion}","metadata":{},"items":[${items}]}`
    let pauseMs = firstBackoffMs
    for (let attempt = 1; ; attempt++) {
      const isLast = this.#isClosed
      try {
        await endpoint.post(body, (isLast ? this.#ending : this.#endingFirst).signal)
        this.#losses.over()
        return undefined
      } catch (error) {
        // During shutdown there is one more attempt, and no time to wait for a receiver that is unavailable.
        if (isRetryable(error) && (this.#isClosed ? !isLast : attempt < attempts)) {
          this.#losses.add(0, failureReason(error))
          if (!this.#isClosed) await this.#pause(pauseMs)
          pauseMs *= backoffFactor
          continue
        }
        const why = failureReason(error)
        this.#losses.add(batch.length, why)
        return new Error(`the audit webhook did not accept an event: ${why}`)
      }
    }
  }

  #pause(pauseMs: number): Promise<void> {
    return new Promise(resolve => {
      const cancel = this.#parts.clock.after(pauseMs, resolve)
      this.#endPause = () => {
        cancel()
        resolve()
      }
    })
  }
}

/** No answer, an overloaded or a broken server: the next attempt may succeed. */
const isRetryable = (error: unknown): boolean => !(error instanceof ApiError) || error.code === 429 || error.code >= 500

/** A response may quote what was sent, so only its code is reported. */
function failureReason(error: unknown): string {
  const { name, message } = error as Error
  if (name === 'TimeoutError' || name === 'AbortError') return 'it did not answer in time'
  return error instanceof ApiError && name !== 'ConnectionError' ? `it answered ${error.code}` : message
}

import type { Counter, Logger, Metrics } from 'orch/sdk'
import type { SpanRecord } from './span-record.js'

export interface SpanOutboxParts {
  /** Rejects if the spans could not be delivered. */
  send(spans: readonly SpanRecord[]): Promise<void>
  /** The destination, for the log. */
  readonly to: string
  readonly logger: Logger
  readonly metrics: Metrics
}

const maxWaiting = 2048
const batchSpans = 512
/** The minimum interval of partial batches, since each wakes a thread and is a request to the receiver. */
const sendEveryMs = 1000
/** A single trace need not wait that long. */
const sendAloneMs = 100

/**
 * Spans that wait to be sent: in batches, one at a time, and no more of them than fit. Counts the results, and logs
 * when sending starts to fail and when it recovers.
 */
export class SpanOutbox {
  readonly #parts: SpanOutboxParts
  readonly #spans: Counter
  readonly #waiting: SpanRecord[] = []
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined
  #isFailing = false
  #sentAt = Number.NEGATIVE_INFINITY

  constructor(parts: SpanOutboxParts) {
    this.#parts = parts
    const help = 'Spans that were sent or lost.'
    this.#spans = parts.metrics.counter('tracing_spans_total', help, ['result'])
  }

  add(span: SpanRecord): void {
    if (this.#waiting.length >= maxWaiting) return this.#spans.inc({ result: 'lost' })
    this.#waiting.push(span)
    if (this.#waiting.length >= batchSpans) void this.#send()
    else this.#sendLater()
  }

  /** Sends all queued spans. */
  async close(): Promise<void> {
    while (this.#sending || this.#waiting.length > 0) await this.#send()
  }

  #sendLater(): void {
    if (this.#timer) return
    const waitMs = Math.max(sendAloneMs, this.#sentAt + sendEveryMs - performance.now())
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      if (this.#waiting.length > 0) void this.#send()
    }, waitMs).unref()
  }

  #send(): Promise<void> {
    this.#sending ??= this.#sendBatches().finally(() => {
      this.#sending = undefined
    })
    return this.#sending
  }

  async #sendBatches(): Promise<void> {
    do {
      this.#sentAt = performance.now()
      const batch = this.#waiting.splice(0, batchSpans)
      const failure = await this.#parts.send(batch).then(
        () => undefined,
        (error: Error) => error,
      )
      this.#spans.inc({ result: failure ? 'lost' : 'sent' }, batch.length)
      if ((failure !== undefined) !== this.#isFailing) this.#logTransition(failure)
    } while (this.#waiting.length >= batchSpans)
    if (this.#waiting.length > 0) this.#sendLater()
  }

  #logTransition(failure: Error | undefined): void {
    const { logger, to } = this.#parts
    this.#isFailing = failure !== undefined
    if (failure) logger.warn('traces cannot be delivered and are dropped', { to, why: failure.message })
    else logger.warn('traces are delivered again', { to })
  }
}

import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import type { Counter, Logger, Metrics } from 'orch/sdk'

/** Hands spans on, counts them, and tells when they begin not to arrive and when they arrive again. */
export class ReportingExporter implements SpanExporter {
  readonly #inner: SpanExporter
  readonly #to: string
  readonly #logger: Logger
  readonly #spans: Counter
  #isFailing = false

  constructor(inner: SpanExporter, { to, logger, metrics }: { to: string; logger: Logger; metrics: Metrics }) {
    this.#inner = inner
    this.#to = to
    this.#logger = logger
    this.#spans = metrics.counter('tracing_spans_total', 'Spans that were to be exported, by what came of it.', [
      'result',
    ])
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.#inner.export(spans, result => {
      const isSent = result.code === ExportResultCode.SUCCESS
      this.#spans.inc({ result: isSent ? 'sent' : 'lost' }, spans.length)
      if (isSent === this.#isFailing) this.#tell(isSent, result.error)
      done(result)
    })
  }
  shutdown(): Promise<void> {
    return this.#inner.shutdown()
  }
  async forceFlush(): Promise<void> {
    await this.#inner.forceFlush?.()
  }

  #tell(isSent: boolean, error: Error | undefined): void {
    this.#isFailing = !isSent
    if (isSent) this.#logger.warn('traces arrive again', { to: this.#to })
    else this.#logger.warn('traces do not arrive and are lost', { to: this.#to, why: error?.message })
  }
}

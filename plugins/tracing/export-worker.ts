import { parentPort, workerData } from 'node:worker_threads'
import { ExportResultCode } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { type SpanRecord, spanOf } from './span-record.js'

/** The start parameters of the thread. */
export interface ExportWorkerData {
  readonly url: string
  readonly timeoutMillis: number
  /** The sender of the spans. */
  readonly resource: Readonly<Record<string, string>>
}
export interface ExportTask {
  readonly id: number
  /** A list of span records, as JSON, which is cheaper than structured cloning. */
  readonly spans: string
}
export interface ExportAnswer {
  readonly id: number
  /** Why they were not delivered; undefined if they were. */
  readonly failure?: string | undefined
}

/** The code of the export thread. */
const { url, timeoutMillis, resource: attributes } = workerData as ExportWorkerData
const exporter = new OTLPTraceExporter({ url, timeoutMillis })
const resource = resourceFromAttributes(attributes)
parentPort?.on('message', ({ id, spans }: ExportTask) => {
  const tell = (answer: ExportAnswer) => parentPort?.postMessage(answer)
  exporter.export(
    (JSON.parse(spans) as SpanRecord[]).map(span => spanOf(span, resource)),
    ({ code, error }) =>
      tell(
        code === ExportResultCode.SUCCESS ? { id } : { id, failure: error?.message ?? 'the receiver rejected them' },
      ),
  )
})

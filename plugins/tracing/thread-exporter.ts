import { Worker } from 'node:worker_threads'
import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import type { ExportAnswer, ExportTask, ExportWorkerData } from './export-worker.js'
import { recordOf } from './span-record.js'

/** Spans wait in the server, at most some thousand. What the thread has of them fits many times. */
const maxHeapMb = 64

/**
 * Sends spans by OTLP in a thread of its own, which is started with the first of them. A request of HTTP that the thread of the
 * server sends itself, by whichever client, is of other shapes than all that it answers; Node's code for connections and messages is
 * then compiled for both, and the server takes a tenth longer for every request from then on.
 */
export class ThreadExporter implements SpanExporter {
  readonly #data: ExportWorkerData
  readonly #waiting = new Map<number, (result: ExportResult) => void>()
  #worker: Worker | undefined
  #lastId = 0

  constructor(data: ExportWorkerData) {
    this.#data = data
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.#worker ??= this.#start()
    const task: ExportTask = { id: ++this.#lastId, spans: spans.map(recordOf) }
    this.#waiting.set(task.id, done)
    // The process must not end before it knows what came of them.
    this.#worker.ref()
    this.#worker.postMessage(task)
  }

  async shutdown(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(new URL('./export-worker.js', import.meta.url), {
      workerData: this.#data,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    })
    let failure = 'the thread that sends traces has ended'
    worker.on('message', (answer: ExportAnswer) => this.#answered(answer.id, answer.failure))
    worker.on('error', error => {
      failure = `the thread that sends traces failed: ${error.message}`
    })
    // It was told to end, or has failed. What it had is lost, and the next spans start another one.
    worker.on('exit', () => {
      if (worker === this.#worker) this.#worker = undefined
      for (const id of [...this.#waiting.keys()]) this.#answered(id, failure)
    })
    return worker
  }

  #answered(id: number, failure: string | undefined): void {
    const done = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (this.#waiting.size === 0) this.#worker?.unref()
    done?.(failure === undefined ? { code: ExportResultCode.SUCCESS } : failedWith(failure))
  }
}

const failedWith = (failure: string): ExportResult => ({ code: ExportResultCode.FAILED, error: new Error(failure) })

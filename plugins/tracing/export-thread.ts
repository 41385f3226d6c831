import { Worker } from 'node:worker_threads'
import type { ExportAnswer, ExportTask, ExportWorkerData } from './export-worker.js'
import type { SpanRecord } from './span-record.js'

/** Many times the size of the spans that can be queued. */
const maxHeapMb = 64

/**
 * Sends spans by OTLP in a separate thread, which is started on first use. If the main thread sent HTTP requests itself, with
 * any client, the hidden classes of its sockets and messages would become polymorphic, and every request would take a tenth
 * longer from then on.
 */
export class ExportThread {
  readonly #data: ExportWorkerData
  readonly #waiting = new Map<number, (failure: string | undefined) => void>()
  #worker: Worker | undefined
  #lastId = 0

  constructor(data: ExportWorkerData) {
    this.#data = data
  }

  /** Rejects if they could not be delivered. */
  send(spans: readonly SpanRecord[]): Promise<void> {
    const worker = (this.#worker ??= this.#start())
    const task: ExportTask = { id: ++this.#lastId, spans: JSON.stringify(spans) }
    return new Promise((resolve, reject) => {
      this.#waiting.set(task.id, failure => (failure === undefined ? resolve() : reject(new Error(failure))))
      // The process must not end before they are delivered.
      worker.ref()
      worker.postMessage(task)
    })
  }

  async stop(): Promise<void> {
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
    // It was stopped or has failed. Its spans are lost, and the next spans start another thread.
    worker.on('exit', () => {
      if (worker === this.#worker) this.#worker = undefined
      for (const id of [...this.#waiting.keys()]) this.#answered(id, failure)
    })
    return worker
  }

  #answered(id: number, failure: string | undefined): void {
    const settle = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (this.#waiting.size === 0) this.#worker?.unref()
    settle?.(failure)
  }
}

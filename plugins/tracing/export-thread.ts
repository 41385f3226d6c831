import { Worker } from 'node:worker_threads'
import type { ExportAnswer, ExportTask, ExportWorkerData } from './export-worker.js'
import type { SpanRecord } from './span-record.js'

/** Spans wait in the server, at most some thousand. What the thread has of them fits many times. */
const maxHeapMb = 64

/**
 * Sends spans by OTLP in a thread of its own, which is started with the first of them. A request of HTTP that the thread of the
 * server sends itself, by whichever client, is of other shapes than all that it answers; Node's code for connections and messages is
 * then compiled for both, and the server takes a tenth longer for every request from then on.
 */
export class ExportThread {
  readonly #data: ExportWorkerData
  readonly #waiting = new Map<number, (failure: string | undefined) => void>()
  #worker: Worker | undefined
  #lastId = 0

  constructor(data: ExportWorkerData) {
    this.#data = data
  }

  /** Rejects when they did not arrive. */
  send(spans: readonly SpanRecord[]): Promise<void> {
    const worker = (this.#worker ??= this.#start())
    const task: ExportTask = { id: ++this.#lastId, spans: JSON.stringify(spans) }
    return new Promise((resolve, reject) => {
      this.#waiting.set(task.id, failure => (failure === undefined ? resolve() : reject(new Error(failure))))
      // The process must not end before it knows what came of them.
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
    const told = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (this.#waiting.size === 0) this.#worker?.unref()
    told?.(failure)
  }
}

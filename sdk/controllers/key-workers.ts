import type { Clock, Logger, Metrics } from '../plugin/basic-services.js'
import { type LoopMetrics, loopMetrics } from './loop-metrics.js'
import { WorkQueue } from './work-queue.js'

/** The work on keys, and how many are processed at once. */
export interface KeyWorkersOptions {
  /** Names the loop in logs and metrics. */
  readonly name: string
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics?: Metrics
  /** How many keys are processed at once; 1 by default. A key is never processed concurrently with itself. */
  readonly workers?: number
  /** An error is retried with backoff; `requeueAfterMs` schedules another run. */
  work(key: string): Promise<void | { requeueAfterMs: number }>
}

/** Processes added keys. `startControlLoop` adds those of its sources; a loop with other sources adds its own. */
export class KeyWorkers {
  readonly #options: KeyWorkersOptions
  readonly #metrics: LoopMetrics
  readonly #queue: WorkQueue
  readonly #running = new Set<Promise<void>>()
  #isOpen = false
  #pumpIsDue = false

  constructor(options: KeyWorkersOptions) {
    this.#options = options
    this.#metrics = loopMetrics(options.metrics, options.name)
    this.#queue = new WorkQueue(options.clock, this.#metrics, () => this.#pumpSoon())
  }
  /** Adds a key; it is queued once however often it is added. */
  add(key: string): void {
    this.#queue.add(key)
  }
  /** Adds a key after a delay; the earliest of several delays counts. */
  addAfter(key: string, delayMs: number): void {
    this.#queue.addAfter(key, delayMs)
  }
  /** Begins to process queued keys. */
  start(): void {
    this.#isOpen = true
    this.#pumpSoon()
  }
  /** Takes no more keys and waits for work in progress. */
  async stop(): Promise<void> {
    this.#isOpen = false
    this.#queue.close()
    await Promise.all(this.#running)
  }

  /** Takes keys in the next turn of the event loop, so that no work runs inside the event that caused it. */
  #pumpSoon(): void {
    if (this.#pumpIsDue || !this.#isOpen) return
    this.#pumpIsDue = true
    setImmediate(() => {
      this.#pumpIsDue = false
      this.#pump()
    })
  }
  #pump(): void {
    const { workers = 1 } = this.#options
    while (this.#running.size < workers) {
      const key = this.#queue.take()
      if (key === undefined) return
      const work = this.#work(key).finally(() => {
        this.#running.delete(work)
        this.#queue.done(key)
        this.#pumpSoon()
      })
      this.#running.add(work)
    }
  }
  async #work(key: string): Promise<void> {
    const { name, clock, logger } = this.#options
    const started = clock.now()
    const seconds = () => (clock.now() - started) / 1000
    try {
      const again = await this.#options.work(key)
      this.#metrics.worked(seconds(), 'success')
      this.#queue.forget(key)
      if (again) this.#queue.addAfter(key, again.requeueAfterMs)
    } catch (error) {
      this.#metrics.worked(seconds(), 'error')
      this.#metrics.failed(error, clock.now())
      const delayMs = this.#queue.retry(key)
      logger.warn('reconcile failed', { controller: name, key, error, retryInMs: delayMs })
    }
  }
}

import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { YamlError } from 'orch/sdk/files'
import type { RepeatedKey, YamlLimits } from 'orch/sdk/host'

/** A request to the thread: to parse a text, or to write a value that is passed as JSON. */
export type YamlTask = { readonly parse: string; readonly limits: YamlLimits } | { readonly print: string }
/** The first message of the thread, sent when its code is loaded. */
export interface YamlReady {
  readonly isReady: true
  /** The file with the CPU time of the thread; undefined if the system has none. */
  readonly schedulerFile: string | undefined
}
/** The reply of the thread. A value is passed as JSON: parsing it is faster than cloning an object. */
export type YamlResult =
  | { readonly json: string; readonly repeatedKeys: readonly RepeatedKey[] }
  | { readonly yaml: string }
  | { readonly broken: string }
  | { readonly failure: string }

/** The thread failed: it took too long or needed too much memory. */
export class ThreadFailure extends Error {}
/** Too many tasks are queued. */
export class ThreadBusy extends Error {}

/** A body of the default limit needs a third of this. */
const maxHeapMb = 512
/** Enough for recursive code on values that nest as deeply as a body may: 10,000 levels. */
const stackSizeMb = 64
/** Queued tasks hold their texts in memory, and their clients do not wait for long. */
const maxWaiting = 64
/** An idle thread keeps its memory for this long. */
const idleMs = 10_000
/** The minimum interval between checks of the CPU time. */
const minCheckIntervalMs = 10
/** How long a thread may take to load its code, on a busy machine. */
const loadMs = 60_000

interface Waiting {
  readonly task: YamlTask
  readonly resolve: (result: YamlResult) => void
  readonly reject: (failure: Error) => void
}

/**
 * One thread for YAML. It is started on first use and terminated when it is idle. Loading its code does not count against a task:
 * a thread that is terminated while Node loads modules leaves open the files that it was reading.
 */
export class YamlThread {
  readonly #limitMs: number
  readonly #workedMs: typeof threadWorkedMs
  readonly #waiting: Waiting[] = []
  #worker: Worker | undefined
  #isReady = false
  #schedulerFile: string | undefined
  #current: Waiting | undefined
  #timer: NodeJS.Timeout | undefined

  /** A task may take this much CPU time, since wall-clock time depends on the load of the machine. */
  constructor(limitMs: number, workedMs = threadWorkedMs) {
    this.#limitMs = limitMs
    this.#workedMs = workedMs
  }

  async parse(text: string, limits: YamlLimits): Promise<{ value: unknown; repeatedKeys: readonly RepeatedKey[] }> {
    const result = await this.#run({ parse: text, limits })
    if ('broken' in result) throw new YamlError(result.broken)
    if (!('json' in result)) throw unexpected(result)
    return { value: JSON.parse(result.json), repeatedKeys: result.repeatedKeys }
  }
  async print(json: string): Promise<string> {
    const result = await this.#run({ print: json })
    if (!('yaml' in result)) throw unexpected(result)
    return result.yaml
  }

  async close(): Promise<void> {
    for (const { reject } of this.#waiting.splice(0)) reject(new ThreadFailure('was aborted: the server is stopping'))
    await this.#end(new ThreadFailure('was aborted: the server is stopping'))
  }

  #run(task: YamlTask): Promise<YamlResult> {
    if (this.#waiting.length >= maxWaiting) return Promise.reject(new ThreadBusy())
    return new Promise((resolve, reject) => {
      this.#waiting.push({ task, resolve, reject })
      this.#next()
    })
  }

  #next(): void {
    if (this.#current) return
    clearTimeout(this.#timer)
    this.#current = this.#waiting.shift()
    if (!this.#current) {
      this.#timer = setTimeout(() => void this.#end(), idleMs).unref()
      return
    }
    this.#worker ??= this.#start()
    this.#limit()
    this.#worker.postMessage(this.#current.task)
  }

  #limit(): void {
    clearTimeout(this.#timer)
    if (this.#isReady) return this.#limitWork(this.#workedMs(this.#schedulerFile) + this.#limitMs, this.#limitMs)
    this.#timer = setTimeout(() => this.#abort(`did not start within ${loadMs} ms`), loadMs).unref()
  }
  /** Aborts once the thread has used this much CPU time, which is checked after `ms` at the earliest. */
  #limitWork(until: number, ms: number): void {
    this.#timer = setTimeout(() => {
      const leftMs = until - this.#workedMs(this.#schedulerFile)
      if (leftMs > 0) this.#limitWork(until, Math.max(leftMs, minCheckIntervalMs))
      else this.#abort(`takes more than ${this.#limitMs} ms of CPU time`)
    }, ms).unref()
  }

  #start(): Worker {
    const worker = new Worker(new URL('./yaml-worker.js', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, stackSizeMb },
    })
    this.#isReady = false
    worker.unref()
    // Only for the current thread: it may have been replaced.
    worker.on('message', (result: YamlResult | YamlReady) => {
      if (worker !== this.#worker) return
      if (!('isReady' in result)) return this.#done(({ resolve }) => resolve(result))
      this.#isReady = true
      this.#schedulerFile = result.schedulerFile
      this.#limit()
    })
    // A thread that exits has run out of memory.
    worker.on('error', () => worker === this.#worker && this.#abort('needs too much memory'))
    return worker
  }

  #done(settle: (current: Waiting) => void): void {
    const current = this.#current
    this.#current = undefined
    if (current) settle(current)
    this.#next()
  }

  #abort(why: string): void {
    void this.#end(new ThreadFailure(why))
    this.#next()
  }

  async #end(why?: ThreadFailure): Promise<void> {
    clearTimeout(this.#timer)
    const worker = this.#worker
    const current = this.#current
    this.#worker = undefined
    this.#current = undefined
    if (why) current?.reject(why)
    await worker?.terminate()
  }
}

const nanosecondsPerMs = 1e6

/** The CPU time of a thread; the elapsed time if the system does not report it. */
function threadWorkedMs(schedulerFile: string | undefined): number {
  if (schedulerFile === undefined) return performance.now()
  try {
    return Number(readFileSync(schedulerFile, 'utf8').split(' ')[0]) / nanosecondsPerMs
  } catch {
    // The thread has exited, which is reported elsewhere.
    return 0
  }
}

const unexpected = (result: YamlResult) =>
  new Error('failure' in result ? `the YAML thread failed: ${result.failure}` : 'the YAML thread mixed up its tasks')

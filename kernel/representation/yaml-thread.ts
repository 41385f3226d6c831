import { Worker } from 'node:worker_threads'
import { type RepeatedKey, YamlError, type YamlLimits } from 'orch/sdk'

/** What the thread is asked: to read a text, or to write a value that comes as JSON. */
export type YamlTask = { readonly parse: string; readonly limits: YamlLimits } | { readonly print: string }
/** What it says first, when its code is loaded. */
export interface YamlReady {
  readonly isReady: true
}
/** What it answers. A value comes as JSON, which is read faster than copies of objects are made. */
export type YamlResult =
  | { readonly json: string; readonly repeatedKeys: readonly RepeatedKey[] }
  | { readonly yaml: string }
  | { readonly broken: string }
  | { readonly failure: string }

/** The thread did not manage: it took too long, or too much memory. */
export class ThreadFailure extends Error {}
/** More is waiting than will be done in time. */
export class ThreadBusy extends Error {}

/** A body of the default limit needs a third of it. */
const maxHeapMb = 512
/** Tasks that wait hold their text, and their clients will not wait for long. */
const maxWaiting = 64
/** A thread that has nothing to do keeps its memory for so long. */
const idleMs = 10_000
/** How long a thread may take to load its code, on a busy machine. */
const loadMs = 60_000

interface Waiting {
  readonly task: YamlTask
  readonly resolve: (result: YamlResult) => void
  readonly reject: (failure: Error) => void
}

/**
 * One thread beside the event loop for YAML. It is started when it is first needed and ended when it is idle. Loading its code does
 * not count against a task: a thread that is ended while Node loads modules leaves the files open that it was reading.
 */
export class YamlThread {
  readonly #timeoutMs: number
  readonly #waiting: Waiting[] = []
  #worker: Worker | undefined
  #isReady = false
  #current: Waiting | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
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
    for (const { reject } of this.#waiting.splice(0)) reject(new ThreadFailure('was given up: the server stops'))
    await this.#end(new ThreadFailure('was given up: the server stops'))
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
    const [ms, why] = this.#isReady
      ? [this.#timeoutMs, `takes longer than ${this.#timeoutMs} ms`]
      : [loadMs, `could not begin in ${loadMs} ms`]
    this.#timer = setTimeout(() => this.#giveUp(why), ms).unref()
  }

  #start(): Worker {
    const worker = new Worker(new URL('./yaml-worker.js', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    })
    this.#isReady = false
    worker.unref()
    // Only the present one counts: another may have taken its place.
    worker.on('message', (result: YamlResult | YamlReady) => {
      if (worker !== this.#worker) return
      if (!('isReady' in result)) return this.#done(({ resolve }) => resolve(result))
      this.#isReady = true
      this.#limit()
    })
    // A thread that ends by itself has run out of memory.
    worker.on('error', () => worker === this.#worker && this.#giveUp('takes too much memory'))
    return worker
  }

  #done(tell: (current: Waiting) => void): void {
    const current = this.#current
    this.#current = undefined
    if (current) tell(current)
    this.#next()
  }

  #giveUp(why: string): void {
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

const unexpected = (result: YamlResult) =>
  new Error('failure' in result ? `the YAML thread failed: ${result.failure}` : 'the YAML thread mixed up its tasks')

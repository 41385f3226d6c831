import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { type FieldError, forbiddenField, serviceUnavailable, tooManyRequests } from 'orch/sdk'
import type { ValidationReady, ValidationResult, ValidationTask } from './validation-task.js'

/** Objects of a few megabytes and their schemas need a fraction of this. */
const maxHeapMb = 512
/** Enough for recursion to the nesting limit of request bodies: 10,000 levels. */
const stackSizeMb = 64
/** Limits the memory of queued tasks, whose clients do not wait long anyway. */
const maxQueued = 64
/** An idle thread is ended after this time. */
const idleMs = 10_000
/** How long a thread may take to load its code on a busy machine. */
const loadMs = 60_000
/** How often its CPU time is read. */
const cpuPollMs = 100
/** Where the CPU time of a thread cannot be read, wall-clock time is used, divided by this: the machine may be busy. */
const clockFactor = 4

export interface ValidationLimits {
  /** Units of work of one validation. */
  readonly maxWork: number
  /** CPU time of one validation: a second limit, in case some work is not counted. */
  readonly maxCpuMs: number
}

interface QueuedTask {
  readonly task: ValidationTask
  readonly resolve: (errors: readonly FieldError[]) => void
  readonly reject: (failure: Error) => void
}

/**
 * One thread beside the event loop for validations that are more than a few milliseconds of work. It is started when it
 * is first needed and ended when it is idle, or when a validation takes too long.
 */
export class ValidationThread {
  readonly limits: ValidationLimits
  readonly #waiting: QueuedTask[] = []
  #worker: Worker | undefined
  #threadId: string | undefined
  #isReady = false
  #current: QueuedTask | undefined
  #timer: NodeJS.Timeout | undefined
  #startedAt = { cpuMs: 0, clockMs: 0 }

  constructor(limits: ValidationLimits) {
    this.limits = limits
  }

  /** The errors of the object or definition; exceeding a limit is one of them. */
  run(task: ValidationTask): Promise<readonly FieldError[]> {
    if (this.#waiting.length >= maxQueued)
      return Promise.reject(tooManyRequests('too many large objects are waiting for validation', 1))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ task, resolve, reject })
      this.#next()
    })
  }

  async close(): Promise<void> {
    const stopped = serviceUnavailable('the server is shutting down')
    for (const { reject } of this.#waiting.splice(0)) reject(stopped)
    this.#current?.reject(stopped)
    this.#current = undefined
    await this.#end()
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
    this.#worker.ref()
    this.#worker.postMessage(this.#current.task)
    this.#limitTime()
  }

  #limitTime(): void {
    clearTimeout(this.#timer)
    if (!this.#isReady) {
      this.#timer = setTimeout(() => this.#failed(new Error('the validation thread did not start')), loadMs).unref()
      return
    }
    this.#startedAt = { cpuMs: this.#cpuMs() ?? 0, clockMs: performance.now() }
    const checkTime = () => {
      if (this.#tookMs() > this.limits.maxCpuMs) this.#exceeded(`more than ${this.limits.maxCpuMs} ms of CPU time`)
      else this.#timer = setTimeout(checkTime, cpuPollMs).unref()
    }
    this.#timer = setTimeout(checkTime, cpuPollMs).unref()
  }

  #tookMs(): number {
    const cpuMs = this.#cpuMs()
    if (cpuMs !== undefined) return cpuMs - this.#startedAt.cpuMs
    return (performance.now() - this.#startedAt.clockMs) / clockFactor
  }

  /** The CPU time of the thread so far, if the operating system reports it. */
  #cpuMs(): number | undefined {
    if (this.#threadId === undefined) return undefined
    try {
      return Number(readFileSync(`/proc/self/task/${this.#threadId}/schedstat`, 'utf8').split(' ')[0]) / 1e6
    } catch {
      return undefined
    }
  }

  #start(): Worker {
    const worker = new Worker(new URL('./validation-worker.js', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, stackSizeMb },
    })
    this.#isReady = false
    this.#threadId = undefined
    // Messages of a thread that has been replaced are ignored.
    worker.on('message', (message: ValidationResult | ValidationReady) => {
      if (worker !== this.#worker) return
      if (!('isReady' in message)) return this.#answered(message)
      this.#isReady = true
      this.#threadId = message.threadId
      this.#limitTime()
    })
    worker.on('error', (error: Error & { code?: string }) => {
      if (worker !== this.#worker) return
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') this.#exceeded(`more than ${maxHeapMb} MiB of memory`)
      else this.#failed(new Error(`the validation thread failed: ${error.message}`, { cause: error }))
    })
    return worker
  }

  #answered(result: ValidationResult): void {
    const current = this.#current
    this.#current = undefined
    this.#worker?.unref()
    if ('errors' in result) current?.resolve(result.errors)
    else if ('exceededAt' in result) current?.resolve([exceededWork(result.exceededAt, current.task.maxWork)])
    else current?.reject(new Error(`the validation thread failed: ${result.failure}`))
    this.#next()
  }

  /** Ends the thread and reports the exceeded limit. */
  #exceeded(what: string): void {
    const current = this.#current
    this.#current = undefined
    current?.resolve([forbiddenField(rootField, `validating it takes ${what}`)])
    void this.#end()
    this.#next()
  }

  #failed(failure: Error): void {
    const current = this.#current
    this.#current = undefined
    current?.reject(failure)
    void this.#end()
    this.#next()
  }

  async #end(): Promise<void> {
    clearTimeout(this.#timer)
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }
}

/** The field of errors of a whole object. */
const rootField = '<nil>'

/** Names the field at which a validation was aborted. */
export const exceededWork = (field: string, maxWork: number): FieldError =>
  forbiddenField(
    field || rootField,
    `validating the object takes more than ${maxWork} units of work (--max-validation-work); the limit was reached here`,
  )

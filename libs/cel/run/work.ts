import { readFileSync } from 'node:fs'

/**
 * Bounds an evaluation in three ways. **Cost** is what Kubernetes counts and the unit of its limits; for some functions
 * it is far below the actual work. **Work** is what the evaluator actually does, in steps of about 25 nanoseconds:
 * every function charges its work before doing it. The **deadline** is CPU time, which also bounds functions that
 * charge too little: it is checked whenever work is charged. Charged work extends it, because a slow or busy machine
 * needs longer for the same steps.
 */
export class Work {
  #cost: number
  readonly #limit: number
  #steps: number
  #untilClock = stepsPerClock
  readonly #startedMs: number
  readonly #deadlineMs: number
  #startedCpu: number | undefined
  /** The limit that ended the evaluation. It cannot be absorbed by a logical operator. */
  exceeded: 'cost' | 'work' | 'deadline' | undefined

  constructor(limits: WorkLimits) {
    this.#cost = limits.cost
    this.#limit = this.#steps = limits.steps ?? defaultSteps
    this.#deadlineMs = limits.deadlineMs ?? defaultDeadlineMs
    this.#startedMs = performance.now()
  }

  /** The work that has been charged. */
  get stepsUsed(): number {
    return this.#limit - this.#steps
  }
  /** The cost that is left. */
  get left(): number {
    return Math.max(0, this.#cost)
  }

  cost(units: number): void {
    this.#cost -= units
    if (this.#cost < 0) this.#end('cost')
  }

  /** Charges work that is about to be done. Fractions accumulate. */
  steps(count: number): void {
    this.#steps -= count
    if (this.#steps < 0) this.#end('work')
    this.#untilClock -= count
    if (this.#untilClock < 0) this.#lookAtClock()
  }

  #lookAtClock(): void {
    this.#untilClock = stepsPerClock
    // Reading the wall clock is cheap. On a busy machine it runs ahead of the work, so CPU time decides.
    const elapsed = performance.now() - this.#startedMs
    if (elapsed < this.#deadlineMs / 4) return
    this.#startedCpu ??= cpuMs() - this.#deadlineMs / 4
    const allowed = this.#deadlineMs + this.stepsUsed * slowestStepMs
    // Other threads of the process use CPU time, too, compiling this very code for instance: both clocks must agree.
    if (elapsed > allowed && cpuMs() - this.#startedCpu > allowed) this.#end('deadline')
  }

  #end(why: 'cost' | 'work' | 'deadline'): never {
    this.exceeded ??= why
    throw new WorkExceeded(why)
  }
}

export interface WorkLimits {
  readonly cost: number
  readonly steps?: number
  readonly deadlineMs?: number
}

/** The work of one evaluation takes about 100 ms at most; the deadline is for functions whose work is underestimated. */
const defaultSteps = 4_000_000
const defaultDeadlineMs = 130
const stepsPerClock = 20_000
/** The time by which every charged step extends the deadline: its duration on an idle machine. */
const slowestStepMs = 25e-6

/**
 * CPU time of this thread where Node or Linux reports it, otherwise of the process, whose other threads compile and
 * collect garbage.
 */
function cpuMs(): number {
  const { user, system } = threadCpuUsage ? threadCpuUsage() : (linuxThreadUsage() ?? process.cpuUsage())
  return (user + system) / 1000
}
const threadCpuUsage = (process as { threadCpuUsage?: () => NodeJS.CpuUsage }).threadCpuUsage?.bind(process)

function linuxThreadUsage(): NodeJS.CpuUsage | undefined {
  try {
    const [nanoseconds] = readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')
    return { user: Number(nanoseconds) / 1000, system: 0 }
  } catch {
    return undefined
  }
}

/** Not a subclass of Error: capturing a stack is expensive. */
export class WorkExceeded {
  readonly message: string
  constructor(why: 'cost' | 'work' | 'deadline') {
    this.message =
      why === 'cost'
        ? 'operation cancelled: actual cost limit exceeded'
        : `operation cancelled: actual cost limit exceeded: the expression takes too ${why === 'work' ? 'much work' : 'long'}`
  }
}

/** An evaluation error. Not a subclass of Error: it is often absorbed by a logical operator, and capturing a stack is expensive. */
export class Failure {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

import type { Logger } from 'orch/sdk'
import type { Registry } from 'prom-client'
import type { RequestContext } from '../contracts/request-context.js'
import { Histogram } from './histogram.js'

/** How often the event loop is checked; shorter blocks may go unnoticed. */
const checkIntervalMs = 50
/** The interval after this many checks without a request, so that an idle server is not woken up often. */
const idleIntervalMs = 1000
const checksUntilIdle = 20
/** A start loads and compiles much at once, so delays in this time are expected. They are measured, but not logged. */
const startMs = 15_000
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * Measures the delay of the event loop and names the request that blocked it. Requests only record their name when they start or
 * continue after their body; a timer does the rest, so that small requests cost nothing.
 */
export class LoopWatch {
  readonly #delay: ReturnType<Histogram['child']>
  readonly #logger: Logger
  readonly #warnAfterMs: number
  #timer: NodeJS.Timeout
  #everyMs = checkIntervalMs
  #idleChecks = 0
  #expectedAt = 0
  #last: RequestContext | undefined

  readonly #warnFrom: number

  /** With `warnAfterMs` 0 nothing is logged; nor is it in the first `quietMs`. */
  constructor(registry: Registry, logger: Logger, warnAfterMs: number, quietMs = startMs) {
    this.#warnFrom = performance.now() + quietMs
    const histogram = new Histogram(
      registry,
      'apiserver_event_loop_delay_seconds',
      'Delay of timers in the event loop.',
      buckets,
    )
    this.#delay = histogram.child({})
    this.#logger = logger
    this.#warnAfterMs = warnAfterMs
    this.#timer = this.#arm(checkIntervalMs)
  }

  /** Marks this request as the current one. */
  setCurrentRequest(context: RequestContext): void {
    this.#last = context
    if (this.#everyMs === checkIntervalMs) return
    clearTimeout(this.#timer)
    this.#timer = this.#arm(checkIntervalMs)
  }
  close(): void {
    clearTimeout(this.#timer)
  }

  #arm(everyMs: number): NodeJS.Timeout {
    this.#everyMs = everyMs
    this.#expectedAt = performance.now() + everyMs
    return setTimeout(() => this.#check(), everyMs).unref()
  }

  #check(): void {
    const delayMs = Math.max(0, performance.now() - this.#expectedAt)
    this.#idleChecks = this.#last ? 0 : this.#idleChecks + 1
    this.#timer = this.#arm(this.#idleChecks < checksUntilIdle ? checkIntervalMs : idleIntervalMs)
    this.#delay.observe(delayMs / 1000)
    const context = this.#last
    this.#last = undefined
    if (this.#warnAfterMs === 0 || delayMs < this.#warnAfterMs || performance.now() < this.#warnFrom) return
    this.#logger.warn('the event loop was blocked', { milliseconds: Math.round(delayMs), ...requestFields(context) })
  }
}

/** The description of a request in the log, without anything that could contain a secret. */
function requestFields(context: RequestContext | undefined): object {
  if (!context) return {}
  const { verb, group, resource, subresource, namespace } = context.info
  return { requestId: context.id, verb, group, resource, subresource, namespace, user: context.user.name }
}

import type { Logger } from 'orch/sdk'
import type { Registry } from 'prom-client'
import type { RequestContext } from '../contracts/request-context.js'
import { Histogram } from './histogram.js'

/** How often the event loop is looked at; a hold shorter than this may go unseen. */
const lookEveryMs = 50
/** So often after so many looks without a request: a server that is asked nothing is not kept awake by this. */
const quietEveryMs = 1000
const looksUntilQuiet = 20
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * Measures how late the event loop comes to what it has to do, and names the request that held it. Requests only leave their
 * name when they begin or go on with a body that has arrived; a timer does the rest, so a small request pays nothing for it.
 */
export class LoopWatch {
  readonly #delay: ReturnType<Histogram['child']>
  readonly #logger: Logger
  readonly #warnAfterMs: number
  #timer: NodeJS.Timeout
  #everyMs = lookEveryMs
  #looksWithout = 0
  #expectedAt = 0
  #last: RequestContext | undefined

  /** `warnAfterMs` of 0 warns of nothing. */
  constructor(registry: Registry, logger: Logger, warnAfterMs: number) {
    const histogram = new Histogram(
      registry,
      'apiserver_event_loop_delay_seconds',
      'How late the event loop comes to its timers.',
      buckets,
    )
    this.#delay = histogram.child({})
    this.#logger = logger
    this.#warnAfterMs = warnAfterMs
    this.#timer = this.#arm(lookEveryMs)
  }

  /** From now on this request is what the event loop works for. */
  worksFor(context: RequestContext): void {
    this.#last = context
    if (this.#everyMs === lookEveryMs) return
    clearTimeout(this.#timer)
    this.#timer = this.#arm(lookEveryMs)
  }
  close(): void {
    clearTimeout(this.#timer)
  }

  #arm(everyMs: number): NodeJS.Timeout {
    this.#everyMs = everyMs
    this.#expectedAt = performance.now() + everyMs
    return setTimeout(() => this.#look(), everyMs).unref()
  }

  #look(): void {
    const delayMs = Math.max(0, performance.now() - this.#expectedAt)
    this.#looksWithout = this.#last ? 0 : this.#looksWithout + 1
    this.#timer = this.#arm(this.#looksWithout < looksUntilQuiet ? lookEveryMs : quietEveryMs)
    this.#delay.observe(delayMs / 1000)
    const context = this.#last
    this.#last = undefined
    if (this.#warnAfterMs === 0 || delayMs < this.#warnAfterMs) return
    this.#logger.warn('the event loop was held up', { milliseconds: Math.round(delayMs), ...nameOf(context) })
  }
}

/** What is told of a request: nothing that a client could hide a secret in. */
function nameOf(context: RequestContext | undefined): object {
  if (!context) return {}
  const { verb, group, resource, subresource, namespace } = context.info
  return { requestId: context.id, verb, group, resource, subresource, namespace, user: context.user.name }
}

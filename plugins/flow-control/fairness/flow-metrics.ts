import type { Metrics } from 'orch/sdk'
import type { Level } from './level.js'

/** The metrics of fair queuing, under the names of the reference. */
export class FlowMetrics {
  readonly #dispatched
  readonly #rejected
  readonly #waiting
  readonly #executing
  readonly #limit
  readonly #waited

  constructor(metrics: Metrics) {
    const both = ['priority_level', 'flow_schema']
    const name = (of: string) => `apiserver_flowcontrol_${of}`
    this.#dispatched = metrics.counter(name('dispatched_requests_total'), 'Requests that were dispatched.', both)
    this.#rejected = metrics.counter(name('rejected_requests_total'), 'Requests that were rejected.', [
      ...both,
      'reason',
    ])
    this.#waiting = metrics.gauge(name('current_inqueue_requests'), 'Requests that are waiting.', ['priority_level'])
    this.#executing = metrics.gauge(name('current_executing_requests'), 'Requests that are executing.', [
      'priority_level',
    ])
    this.#limit = metrics.gauge(name('request_concurrency_limit'), 'Seats of a level.', ['priority_level'])
    this.#waited = metrics.histogram(name('request_wait_duration_seconds'), 'Waiting time of queued requests.', [
      ...both,
      'execute',
    ])
  }

  rejected(priority_level: string, flow_schema: string, reason: string): void {
    this.#rejected.inc({ priority_level, flow_schema, reason })
  }
  waited(priority_level: string, flow_schema: string, seconds: number, hasBegun: boolean): void {
    this.#waited.observe(seconds, { priority_level, flow_schema, execute: String(hasBegun) })
  }
  /** Updates the metrics from the counts. */
  write(levels: Iterable<Level>): void {
    for (const { name: priority_level, queues, metrics, isExempt } of levels) {
      for (const [flow_schema, count] of metrics.taken()) this.#dispatched.inc({ priority_level, flow_schema }, count)
      if (isExempt) continue
      this.#waiting.set(queues.waiting, { priority_level })
      this.#executing.set(queues.executing, { priority_level })
      if (Number.isFinite(queues.seatLimit)) this.#limit.set(queues.seatLimit, { priority_level })
    }
  }
}

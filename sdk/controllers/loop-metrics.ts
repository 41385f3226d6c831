import type { Metrics } from '../plugin/basic-services.js'
import { ApiError } from '../resource/api-errors.js'

/** What a control loop measures about itself. */
export interface LoopMetrics {
  added(): void
  depth(keys: number): void
  waited(seconds: number): void
  retried(): void
  /** A key came again and again and has to wait. */
  heldBack(): void
  worked(seconds: number, result: 'success' | 'error'): void
  /** At this time, in ms since the epoch. */
  failed(error: unknown, at: number): void
}

const durationBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60]

/** The instruments of one loop, told apart by the label `name`. */
export function loopMetrics(metrics: Metrics | undefined, name: string): LoopMetrics {
  if (metrics === undefined)
    return { added() {}, depth() {}, waited() {}, retried() {}, heldBack() {}, worked() {}, failed() {} }
  const labels = { name }
  const adds = metrics.counter('workqueue_adds_total', 'Keys added to the queue of a control loop.', ['name'])
  const depth = metrics.gauge('workqueue_depth', 'Keys that wait in the queue of a control loop.', ['name'])
  const waits = metrics.histogram('workqueue_queue_duration_seconds', 'How long keys wait.', ['name'], durationBuckets)
  const retries = metrics.counter('workqueue_retries_total', 'Keys tried again after a failure.', ['name'])
  const heldBack = metrics.counter(
    'workqueue_held_back_total',
    'Times that a key had to wait because it came again and again: its own changes may wake it.',
    ['name'],
  )
  const work = metrics.histogram(
    'workqueue_work_duration_seconds',
    'How long reconciling a key takes.',
    ['name', 'result'],
    durationBuckets,
  )
  const failures = metrics.gauge(
    'workqueue_last_failure_timestamp_seconds',
    'When reconciling a key failed last, by why. The log says more.',
    ['name', 'reason'],
  )
  const reasons = new Set<string>()
  return {
    added: () => adds.inc(labels),
    depth: keys => depth.set(keys, labels),
    waited: seconds => waits.observe(seconds, labels),
    retried: () => retries.inc(labels),
    heldBack: () => heldBack.inc(labels),
    worked: (seconds, result) => work.observe(seconds, { ...labels, result }),
    failed(error, at) {
      const reason = failureReason(error)
      const isKept = reasons.has(reason) || reasons.size < mostReasons
      if (isKept) reasons.add(reason)
      failures.set(at / 1000, { ...labels, reason: isKept ? reason : 'Other' })
    },
  }
}

/** A loop that fails for more reasons than these has all further ones counted as one: each is a series that is kept. */
const mostReasons = 16
const word = /^[A-Za-z]\w{0,39}$/
const typeName = /^[a-z][a-z0-9.-]{0,99}$/

/** Why something failed, in few words that hold nothing of any object: `Forbidden (leases.coordination.example.com)`. */
export function failureReason(error: unknown): string {
  if (error instanceof ApiError) {
    const { reason, code, details: { kind = '', group = '' } = {} } = error
    const why = word.test(reason) ? reason : String(code)
    const type = group === '' ? kind : `${kind}.${group}`
    return typeName.test(type) ? `${why} (${type})` : why
  }
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  return [code, name].find((each): each is string => typeof each === 'string' && word.test(each)) ?? 'Error'
}

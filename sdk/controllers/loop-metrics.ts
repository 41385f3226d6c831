import type { Metrics } from '../plugin/basic-services.js'
import { ApiError } from '../resource/api-errors.js'

/** The measurements of a control loop. */
export interface LoopMetrics {
  added(): void
  depth(keys: number): void
  waited(seconds: number): void
  retried(): void
  /** A key was added too often and has to wait. */
  heldBack(): void
  worked(seconds: number, result: 'success' | 'error'): void
  /** At this time, in ms since the epoch. */
  failed(error: unknown, at: number): void
}

const durationBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60]

/** The metrics of one loop, distinguished by the label `name`. */
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
    'Times that a key had to wait because it was added too often: its own changes may trigger it.',
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
    'When reconciling a key last failed, by reason. The log has details.',
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
      const isKept = reasons.has(reason) || reasons.size < maxReasons
      if (isKept) reasons.add(reason)
      failures.set(at / 1000, { ...labels, reason: isKept ? reason : 'Other' })
    },
  }
}

/** Further reasons of a loop are counted as one: each reason is a time series. */
const maxReasons = 16
const word = /^[A-Za-z]\w{0,39}$/
const typeName = /^[a-z][a-z0-9.-]{0,99}$/

/** The reason of a failure, without contents of objects: `Forbidden (leases.coordination.example.com)`. */
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

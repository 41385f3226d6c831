import type { Metrics } from '../basic-services.js'

/** What a control loop measures about itself. */
export interface LoopMetrics {
  added(): void
  depth(keys: number): void
  waited(seconds: number): void
  retried(): void
  /** A key came again and again and has to wait. */
  heldBack(): void
  worked(seconds: number, result: 'success' | 'error'): void
}

const durationBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60]

/** The instruments of one loop, told apart by the label `name`. */
export function loopMetrics(metrics: Metrics | undefined, name: string): LoopMetrics {
  if (metrics === undefined) return { added() {}, depth() {}, waited() {}, retried() {}, heldBack() {}, worked() {} }
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
  return {
    added: () => adds.inc(labels),
    depth: keys => depth.set(keys, labels),
    waited: seconds => waits.observe(seconds, labels),
    retried: () => retries.inc(labels),
    heldBack: () => heldBack.inc(labels),
    worked: (seconds, result) => work.observe(seconds, { ...labels, result }),
  }
}

import { signal } from '@preact/signals'
import { ApiFailure, failureOf, request } from './api.js'
import { growthBy, parseMetrics, percentile, type Sample, sumOf } from './prometheus.js'

/** Metrics of the server, read from /metrics while a view shows them. */

export interface Moment {
  readonly requestsPerSecond: number | undefined
  readonly medianSeconds: number | undefined
  readonly slowSeconds: number | undefined
  readonly failuresPerSecond: number | undefined
  readonly watchers: number
  readonly inflight: number
  readonly memoryBytes: number
}
export interface Numbers {
  readonly moments: readonly Moment[]
  readonly samples: readonly Sample[]
  /** The first samples, to compute what has happened since. */
  readonly first: readonly Sample[]
}

export const keptMoments = 60
const periodMs = 2000
export const numbers = signal<Numbers>({ moments: [], samples: [], first: [] })
export const numbersFailure = signal<ApiFailure | undefined>(undefined)

/** Long-running requests would distort latencies. */
const isOrdinary = (labels: Sample['labels']) => labels['verb'] !== 'WATCH' && labels['verb'] !== 'CONNECT'

/** `names` are the metrics to read; all by default. */
export function followNumbers(everyMs = periodMs, names: readonly string[] = []): () => void {
  const query = new URLSearchParams(names.map(name => ['name[]', name]))
  let isOver = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let lastAt = 0
  const look = async () => {
    try {
      const response = await request(`/metrics?${query}`, { headers: { Accept: 'text/plain' } })
      if (!response.ok) throw await failureOf(response)
      const samples = parseMetrics(await response.text())
      const at = performance.now()
      if (isOver) return
      const { moments, samples: before, first } = numbers.value
      numbers.value = {
        moments: [...moments, momentOf(lastAt === 0 ? [] : before, samples, (at - lastAt) / 1000)].slice(-keptMoments),
        samples,
        first: lastAt === 0 ? samples : first,
      }
      lastAt = at
      numbersFailure.value = undefined
    } catch (failure) {
      if (failure instanceof ApiFailure && failure.code !== 0) {
        numbersFailure.value = failure
        return
      }
    }
    if (!isOver) timer = setTimeout(look, everyMs)
  }
  numbers.value = { moments: [], samples: [], first: [] }
  void look()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

function momentOf(before: readonly Sample[], after: readonly Sample[], seconds: number): Moment {
  const rate = (name: string, where?: (labels: Sample['labels']) => boolean) =>
    before.length === 0 ? undefined : Math.max(0, (sumOf(after, name, where) - sumOf(before, name, where)) / seconds)
  const at = (part: number) =>
    before.length === 0 ? undefined : percentile(before, after, 'apiserver_request_duration_seconds', part, isOrdinary)
  return {
    requestsPerSecond: rate('apiserver_request_total'),
    failuresPerSecond: rate('apiserver_request_total', ({ code = '' }) => code.startsWith('5')),
    medianSeconds: at(0.5),
    slowSeconds: at(0.99),
    watchers: sumOf(after, 'apiserver_longrunning_requests'),
    inflight: sumOf(after, 'apiserver_current_inflight_requests'),
    memoryBytes: sumOf(after, 'process_resident_memory_bytes'),
  }
}

export interface ControlNumbers {
  readonly count: number
  readonly meanSeconds: number | undefined
  readonly rejections: number
}
/** Since the server started. */
export function controlNumbers(samples: readonly Sample[], name: string): ControlNumbers {
  const isIt = (labels: Sample['labels']) => labels['name'] === name
  const count = sumOf(samples, 'apiserver_admission_controller_admission_duration_seconds_count', isIt)
  const sum = sumOf(samples, 'apiserver_admission_controller_admission_duration_seconds_sum', isIt)
  return {
    count,
    meanSeconds: count > 0 ? sum / count : undefined,
    rejections:
      sumOf(samples, 'apiserver_admission_controller_rejections_total', isIt) ||
      sumOf(
        samples,
        'apiserver_admission_controller_admission_duration_seconds_count',
        each => isIt(each) && each['rejected'] === 'true',
      ),
  }
}

export interface QueueNumbers {
  readonly name: string
  readonly depth: number
  readonly adds: number
  readonly retries: number
  readonly lastFailure: { readonly reason: string; readonly at: number } | undefined
}
export function queueNumbers(samples: readonly Sample[]): QueueNumbers[] {
  const by = (name: string) => growthBy([], samples, name, 'name')
  const [depths, adds, retries] = [by('workqueue_depth'), by('workqueue_adds_total'), by('workqueue_retries_total')]
  return [...adds.keys()].sort().map(name => ({
    name,
    depth: depths.get(name) ?? 0,
    adds: adds.get(name) ?? 0,
    retries: retries.get(name) ?? 0,
    lastFailure: lastFailureOf(samples, name),
  }))
}

function lastFailureOf(samples: readonly Sample[], queue: string): QueueNumbers['lastFailure'] {
  const [last] = samples
    .filter(({ name, labels }) => name === 'workqueue_last_failure_timestamp_seconds' && labels['name'] === queue)
    .sort((left, right) => right.value - left.value)
  return last && { reason: last.labels['reason'] ?? '', at: last.value * 1000 }
}

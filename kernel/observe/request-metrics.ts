import { Counter, Gauge, type Registry } from 'prom-client'
import type { RequestInfo } from '../contracts/request-info.js'
import { Histogram, type HistogramChild } from './histogram.js'
import { inTime } from './in-time.js'
import { labelsKey, labelsOf, type MeasuredRequest, type RequestLabels, requestLabelNames } from './request-labels.js'

/** From one second on the buckets of Kubernetes; finer ones below, since most requests are faster than its first bucket. */
const latencyBuckets = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20,
  30, 45, 60,
]

/** Requests of one verb, resource and code. */
interface Child {
  readonly labels: RequestLabels & { readonly code: string }
  readonly latency: HistogramChild
  /** The count since the last scrape. */
  count: number
}

/**
 * Counts and times requests. The instruments of a verb, resource and code are looked up once and cached; counts are passed to
 * prom-client when metrics are scraped, because it would join all labels into a string each time.
 */
export class RequestMetrics {
  readonly #requests: Counter
  readonly #latency: Histogram
  readonly #open: Gauge
  readonly #children = new Map<string, Child>()
  readonly #isServed: (info: RequestInfo) => boolean
  /** Does it connect to something outside the API, which may take as long as a watch? */
  readonly isConnection: (info: RequestInfo) => boolean

  /** `isServed`: whether a path is served; unknown paths share one set of labels. */
  constructor(
    registry: Registry,
    isServed: (info: RequestInfo) => boolean,
    isConnection: (info: RequestInfo) => boolean = () => false,
  ) {
    this.#isServed = isServed
    this.isConnection = isConnection
    this.#requests = new Counter({
      name: 'apiserver_request_total',
      help: 'Requests by verb, resource and status code.',
      labelNames: [...requestLabelNames, 'code'],
      registers: [registry],
      collect: () => {
        for (const child of this.#children.values()) this.#flush(child)
      },
    })
    this.#latency = new Histogram(
      registry,
      'apiserver_request_duration_seconds',
      'Time from the arrival of a request to its response; watches are not counted.',
      latencyBuckets,
    )
    this.#open = new Gauge({
      name: 'apiserver_longrunning_requests',
      help: 'Open watches and connections such as exec.',
      labelNames: requestLabelNames.filter(name => name !== 'dry_run'),
      aggregator: 'sum',
      registers: [registry],
    })
  }

  /** Called when a watch or a connection begins; it counts as open until its exchange ends. */
  longRunningStarted(request: MeasuredRequest): void {
    const { dry_run: _, ...labels } = this.#labelsOf(request)
    const open = this.#open.labels(labels)
    open.inc()
    request.exchange.onClose(() => open.dec())
  }

  observe(request: MeasuredRequest, code: number, seconds: number): void {
    const { info } = request
    const id = `${labelsKey(request)} ${code}`
    let child = this.#children.get(id)
    if (!child) {
      const labels = this.#labelsOf(request)
      child = { labels: { ...labels, code: String(code) }, latency: this.#latency.child({ ...labels }), count: 0 }
      // Not for unknown resources.
      if (labels.resource !== '' || !info.isResource) this.#children.set(id, child)
      else this.#requests.inc({ ...child.labels })
    }
    child.count++
    if (info.verb !== 'watch') child.latency.observe(seconds)
  }

  #flush(child: Child): void {
    if (child.count > 0) this.#requests.inc({ ...child.labels }, child.count)
    child.count = 0
  }

  #labelsOf(request: MeasuredRequest) {
    return labelsOf(request, request.info.isResource && this.#isServed(request.info))
  }
}

/** The time limit for reading a value, well below the timeout of a scrape. */
const readLimitMs = 1000

/** A gauge whose value is computed on scrape. The values of several processes are added, or are the same. */
export function lazyGauge(
  registry: Registry,
  name: string,
  help: string,
  read: () => number | Promise<number>,
  aggregator: 'sum' | 'max' = 'sum',
): void {
  const gauge: Gauge = new Gauge({
    name,
    help,
    aggregator,
    registers: [registry],
    async collect() {
      // A store that does not respond must not block the other metrics.
      gauge.set(await inTime(readLimitMs, Promise.resolve().then(read)).catch(() => Number.NaN))
    },
  })
}

import { Counter, Gauge, type Registry } from 'prom-client'
import type { RequestInfo } from '../contracts/request-info.js'
import { Histogram, type HistogramChild } from './histogram.js'
import { labelsKey, labelsOf, type MeasuredRequest, type RequestLabels, requestLabelNames } from './request-labels.js'

/** From a second on those of the reference; below it finer ones, since most requests take less than its first. */
const latencyBuckets = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20,
  30, 45, 60,
]

/** Requests of one verb, resource and code. */
interface Child {
  readonly labels: RequestLabels & { readonly code: string }
  readonly latency: HistogramChild
  /** Counted since somebody last asked. */
  count: number
}

/**
 * Counts and times requests. The instruments of a verb, resource and code are looked up once and then kept; prom-client is told
 * of counts when somebody asks for them, for it would join all labels into a text each time.
 */
export class RequestMetrics {
  readonly #requests: Counter
  readonly #latency: Histogram
  readonly #open: Gauge
  readonly #children = new Map<string, Child>()
  readonly #isServed: (info: RequestInfo) => boolean

  /** `isServed` tells whether a path leads to something: those that anybody makes up share one set of labels. */
  constructor(registry: Registry, isServed: (info: RequestInfo) => boolean) {
    this.#isServed = isServed
    this.#requests = new Counter({
      name: 'apiserver_request_total',
      help: 'Requests by verb, resource and status code.',
      labelNames: [...requestLabelNames, 'code'],
      registers: [registry],
      collect: () => {
        for (const child of this.#children.values()) this.#tell(child)
      },
    })
    this.#latency = new Histogram(
      registry,
      'apiserver_request_duration_seconds',
      'Time from the arrival of a request to its answer; watches are not counted.',
      latencyBuckets,
    )
    this.#open = new Gauge({
      name: 'apiserver_longrunning_requests',
      help: 'Open watches.',
      labelNames: requestLabelNames.filter(name => name !== 'dry_run'),
      aggregator: 'sum',
      registers: [registry],
    })
  }

  /** Called when a watch arrives; it is open until its connection has nothing more to do with it. */
  watchBegins(request: MeasuredRequest): void {
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
      // Not for resources that anybody makes up.
      if (labels.resource !== '' || !info.isResource) this.#children.set(id, child)
      else this.#requests.inc({ ...child.labels })
    }
    child.count++
    if (info.verb !== 'watch') child.latency.observe(seconds)
  }

  #tell(child: Child): void {
    if (child.count > 0) this.#requests.inc({ ...child.labels }, child.count)
    child.count = 0
  }

  #labelsOf(request: MeasuredRequest) {
    return labelsOf(request, request.info.isResource && this.#isServed(request.info))
  }
}

/** A gauge whose value is asked for when somebody looks. The values of several processes add up, or are of the same thing. */
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
      // A store that does not answer must not keep the other figures from whoever wants to know why.
      gauge.set(
        await Promise.resolve()
          .then(read)
          .catch(() => Number.NaN),
      )
    },
  })
}

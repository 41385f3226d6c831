import { Counter, Gauge, type Registry } from 'prom-client'
import type { RequestInfo } from '../request/request-info.js'
import { Histogram } from './histogram.js'

const latencyBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

interface Child {
  count: { inc(): void }
  latency: { observe(seconds: number): void }
}

const nowhere = { group: '', version: '', resource: '', subresource: '' }

/** Counts and times requests. The instruments of a verb, resource and code are looked up once and then kept. */
export class RequestMetrics {
  readonly #requests: Counter
  readonly #latency: Histogram
  readonly #children = new Map<string, Child>()
  readonly #isServed: (info: RequestInfo) => boolean

  /** `isServed` tells whether a path leads to something: those that anybody makes up share one set of labels. */
  constructor(registry: Registry, isServed: (info: RequestInfo) => boolean) {
    this.#isServed = isServed
    this.#requests = new Counter({
      name: 'apiserver_request_total',
      help: 'Requests by verb, resource and status code.',
      labelNames: ['verb', 'group', 'version', 'resource', 'subresource', 'code'],
      registers: [registry],
    })
    this.#latency = new Histogram(
      registry,
      'apiserver_request_duration_seconds',
      'Time from the arrival of a request to its answer; watches are not counted.',
      latencyBuckets,
    )
  }

  observe(info: RequestInfo, code: number, seconds: number): void {
    const id = `${info.verb} ${info.group}/${info.version}/${info.resource}/${info.subresource} ${code}`
    let child = this.#children.get(id)
    if (!child) {
      const { verb } = info
      const isKnown = info.isResource && this.#isServed(info)
      const { group, version, resource, subresource } = isKnown ? info : nowhere
      child = {
        count: this.#requests.labels({ verb, group, version, resource, subresource, code: String(code) }),
        latency: this.#latency.child({ verb, group, resource }),
      }
      if (isKnown) this.#children.set(id, child)
    }
    child.count.inc()
    if (info.verb !== 'watch') child.latency.observe(seconds)
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

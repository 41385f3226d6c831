import type { Counter, Gauge, Histogram, Metrics } from 'orch/sdk'
import { Counter as PromCounter, Gauge as PromGauge, Histogram as PromHistogram, type Registry } from 'prom-client'

/** The sdk's instruments on prom-client. Asking twice for one name returns the same instrument. */
export class PluginMetrics implements Metrics {
  readonly #registry: Registry
  readonly #known = new Map<string, unknown>()
  constructor(registry: Registry) {
    this.#registry = registry
  }
  counter(name: string, help: string, labels: readonly string[] = []): Counter {
    return this.#once(name, () => {
      const counter = new PromCounter({ name, help, labelNames: [...labels], registers: [this.#registry] })
      const childOf = remembered(labels, values => counter.labels(values))
      return { inc: (values = {}, by = 1) => childOf(values).inc(by) }
    })
  }
  gauge(name: string, help: string, labels: readonly string[] = []): Gauge {
    return this.#once(name, () => {
      const gauge = new PromGauge({ name, help, labelNames: [...labels], registers: [this.#registry] })
      const childOf = remembered(labels, values => gauge.labels(values))
      return { set: (value, values = {}) => childOf(values).set(value) }
    })
  }
  histogram(name: string, help: string, labels: readonly string[] = [], buckets?: readonly number[]): Histogram {
    return this.#once(name, () => {
      const histogram = new PromHistogram({
        name,
        help,
        labelNames: [...labels],
        registers: [this.#registry],
        ...(buckets ? { buckets: [...buckets] } : {}),
      })
      const childOf = remembered(labels, values => histogram.labels(values))
      return { observe: (seconds, values = {}) => childOf(values).observe(seconds) }
    })
  }
  #once<T>(name: string, make: () => T): T {
    if (!this.#known.has(name)) this.#known.set(name, make())
    return this.#known.get(name) as T
  }
}

/** Labels that are remembered at most; beyond it a metric with unbounded values costs time instead of memory. */
const maxRemembered = 1000

/** The instrument of one set of label values, looked up by them: prom-client would check and hash them every time. */
function remembered<C>(
  labels: readonly string[],
  find: (values: Record<string, string>) => C,
): (values: Record<string, string>) => C {
  const known = new Map<string, C>()
  return values => {
    let id = ''
    for (const label of labels) id += `${values[label] ?? ''}\n`
    let child = known.get(id)
    if (child === undefined) {
      child = find(values)
      if (known.size < maxRemembered) known.set(id, child)
    }
    return child
  }
}

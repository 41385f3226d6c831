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
      return { inc: (values: Record<string, string> = {}, by = 1) => counter.inc(values, by) }
    })
  }
  gauge(name: string, help: string, labels: readonly string[] = []): Gauge {
    return this.#once(name, () => {
      const gauge = new PromGauge({ name, help, labelNames: [...labels], registers: [this.#registry] })
      return { set: (value: number, values: Record<string, string> = {}) => gauge.set(values, value) }
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
      return { observe: (seconds: number, values: Record<string, string> = {}) => histogram.observe(values, seconds) }
    })
  }
  #once<T>(name: string, make: () => T): T {
    if (!this.#known.has(name)) this.#known.set(name, make())
    return this.#known.get(name) as T
  }
}

import type { Counter, Gauge, Histogram, Metrics } from 'orch/sdk'
import { Counter as PromCounter, Gauge as PromGauge, type Registry } from 'prom-client'
import { Histogram as OwnHistogram } from './histogram.js'

/** The instruments of the sdk on prom-client. Requesting a name twice returns the same instrument. */
export class PluginMetrics implements Metrics {
  readonly #registry: Registry
  readonly #known = new Map<string, unknown>()
  constructor(registry: Registry) {
    this.#registry = registry
  }
  counter(name: string, help: string, labels: readonly string[] = []): Counter {
    return this.#once(name, () => {
      const counter = new PromCounter({ name, help, labelNames: [...labels], registers: [this.#registry] })
      const childOf = remembered(labels, values => counter.labels(onlyKnown(labels, values)))
      return { inc: (values = {}, by = 1) => childOf(values).inc(by) }
    })
  }
  gauge(name: string, help: string, labels: readonly string[] = []): Gauge {
    return this.#once(name, () => {
      // A gauge of a plugin has the same value in all processes, so they are not added.
      const aggregator = 'max'
      const gauge = new PromGauge({ name, help, labelNames: [...labels], registers: [this.#registry], aggregator })
      const childOf = remembered(labels, values => gauge.labels(onlyKnown(labels, values)))
      return { set: (value, values = {}) => childOf(values).set(value) }
    })
  }
  histogram(name: string, help: string, labels: readonly string[] = [], buckets?: readonly number[]): Histogram {
    return this.#once(name, () => {
      const own = new OwnHistogram(this.#registry, name, help, buckets)
      const childOf = remembered(labels, values => own.child(onlyKnown(labels, values)))
      return { observe: (seconds, values = {}) => childOf(values).observe(seconds) }
    })
  }
  #once<T>(name: string, make: () => T): T {
    if (!this.#known.has(name)) this.#known.set(name, make())
    return this.#known.get(name) as T
  }
}

/** Maximum number of cached label sets; beyond it a metric with unbounded values costs time instead of memory. */
const maxRemembered = 1000

/**
 * The instrument of one set of label values, looked up by them: prom-client would check and hash them every time. Labels
 * that are frozen are looked up by identity, which is faster still.
 */
function remembered<C>(
  labels: readonly string[],
  find: (values: Record<string, string>) => C,
): (values: Record<string, string>) => C {
  const known = new Map<string, C>()
  const byIdentity = new WeakMap<object, C>()
  return values => {
    const isFrozen = Object.isFrozen(values)
    const same = isFrozen ? byIdentity.get(values) : undefined
    if (same !== undefined) return same
    let id = ''
    for (const label of labels) id += `${values[label] ?? ''}\n`
    let child = known.get(id)
    if (child === undefined) {
      child = find(values)
      if (known.size < maxRemembered) known.set(id, child)
    }
    if (isFrozen) byIdentity.set(values, child)
    return child
  }
}

/** The labels that an instrument was declared with, in that order. */
const onlyKnown = (labels: readonly string[], values: Readonly<Record<string, string>>) =>
  Object.fromEntries(labels.filter(label => values[label] !== undefined).map(label => [label, values[label]!]))

import type { Metric, MetricValueWithName, Registry } from 'prom-client'

const usualBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * The observations for one set of labels. Every request adds several; one costs a fortieth of one in prom-client, which sorts and
 * hashes labels each time (`node dist/test/bench/structure-cost.js`).
 */
export class HistogramChild {
  readonly labels: Readonly<Record<string, string>>
  readonly #bounds: readonly number[]
  /** Counts per bucket, not cumulative; the last bucket has no bound. */
  readonly #counts: number[]
  #sum = 0

  constructor(labels: Readonly<Record<string, string>>, bounds: readonly number[]) {
    this.labels = labels
    this.#bounds = bounds
    this.#counts = new Array(bounds.length + 1).fill(0)
  }

  observe(seconds: number): void {
    let i = 0
    while (i < this.#bounds.length && seconds > this.#bounds[i]!) i++
    this.#counts[i]!++
    this.#sum += seconds
  }

  values(name: string): MetricValueWithName<string>[] {
    let count = 0
    const buckets = this.#counts.map((inBucket, i) => {
      count += inBucket
      return {
        metricName: `${name}_bucket`,
        labels: { ...this.labels, le: this.#bounds[i] ?? '+Inf' },
        value: count,
      }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels: this.labels, value: this.#sum },
      { metricName: `${name}_count`, labels: this.labels, value: count },
    ]
  }
}

/**
 * A histogram that the registry prints. It is observed several times in each request, and prom-client's own would hash and
 * copy labels each time.
 */
export class Histogram {
  readonly name: string
  readonly help: string
  readonly type = 'histogram'
  readonly aggregator = 'sum'
  readonly #bounds: readonly number[]
  readonly #children = new Map<string, HistogramChild>()

  constructor(registry: Registry, name: string, help: string, buckets: readonly number[] = usualBuckets) {
    this.name = name
    this.help = help
    this.#bounds = buckets
    registry.registerMetric(this as unknown as Metric)
  }

  /** The series of one set of labels; callers store it. */
  child(labels: Readonly<Record<string, string>>): HistogramChild {
    const id = JSON.stringify(labels)
    let child = this.#children.get(id)
    if (!child) this.#children.set(id, (child = new HistogramChild(labels, this.#bounds)))
    return child
  }

  /** The values for the registry. */
  async get(): Promise<object> {
    const { name, help, type, aggregator } = this
    return { name, help, type, aggregator, values: [...this.#children.values()].flatMap(child => child.values(name)) }
  }
}

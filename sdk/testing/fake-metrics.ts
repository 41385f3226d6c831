import type { Metrics } from '../plugin/basic-services.js'

/** Metrics that keep their values, for tests that check whether something was counted. */
export interface FakeMetrics extends Metrics {
  /** The value of a counter or gauge, or the number of observations of a histogram; 0 if there is none. */
  valueOf(name: string, labels?: Readonly<Record<string, string>>): number
}

/** Makes metrics for tests. */
export function fakeMetrics(): FakeMetrics {
  const values = new Map<string, number>()
  const keyOf = (name: string, labels: object = {}) => `${name} ${JSON.stringify(Object.entries(labels).sort())}`
  const add = (key: string, by: number) => void values.set(key, (values.get(key) ?? 0) + by)
  return {
    counter: name => ({ inc: (labels, by = 1) => add(keyOf(name, labels), by) }),
    gauge: name => ({ set: (value, labels) => void values.set(keyOf(name, labels), value) }),
    histogram: name => ({ observe: (_, labels) => add(keyOf(name, labels), 1) }),
    valueOf: (name, labels) => values.get(keyOf(name, labels)) ?? 0,
  }
}

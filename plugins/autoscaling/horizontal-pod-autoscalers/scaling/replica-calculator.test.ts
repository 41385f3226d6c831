import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Samples } from './metrics-apis.js'
import {
  averageRatio,
  defaultTolerance,
  replicasByAverage,
  replicasByPods,
  replicasByValue,
  requestsOf,
  type StoredPod,
  utilizationRatio,
} from './replica-calculator.js'

const usual = { up: defaultTolerance, down: defaultTolerance }
const now = Date.UTC(2020, 0, 2)
const aPod = (name: string, status: object = {}): StoredPod => ({
  metadata: { name },
  spec: { containers: [{ name: 'c' }] },
  status: {
    phase: 'Running',
    startTime: '2020-01-01T00:00:00Z',
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2020-01-01T00:01:00Z' }],
    ...status,
  },
})
const samplesOf = (values: Record<string, number>): Samples =>
  new Map(Object.entries(values).map(([name, value]) => [name, { value, at: now, windowMs: 30_000 }]))
const wanted = (pods: StoredPod[], values: Record<string, number>, target = 50) =>
  replicasByPods({
    tolerances: usual,
    pods,
    samples: samplesOf(values),
    current: pods.length,
    isCpu: true,
    now,
    ratioOf: averageRatio(target),
    assumed: () => target,
  }).replicas

const calculator = suite('the replica count for a metric')
const [a, b, c] = ['a', 'b', 'c'].map(name => aPod(name)) as [StoredPod, StoredPod, StoredPod]

calculator('brings the average to the target, unless it is within the tolerance', () => {
  assert.is(wanted([a, b], { a: 100, b: 100 }), 4)
  assert.is(wanted([a, b, c], { a: 10, b: 10, c: 10 }), 1)
  assert.is(wanted([a, b], { a: 54, b: 54 }), 2)
  assert.throws(() => wanted([a], {}), 'did not receive metrics for any ready pods')
  assert.throws(() => wanted([], {}), 'no pods returned by selector')
})

calculator('Pods without a sample cause no scaling', () => {
  // Alone, a requires twice as many; if b used nothing, the count would be right.
  assert.is(wanted([a, b], { a: 100 }), 2)
  assert.is(wanted([a, b], { a: 200 }), 4)
  // Alone, a requires one of three; if the others use their target, two are too few.
  assert.is(wanted([a, b, c], { a: 5 }), 3)
})

calculator('pending and starting Pods count as using nothing, finished ones are ignored', () => {
  const pending = aPod('p', { phase: 'Pending' })
  assert.is(wanted([a, pending], { a: 200 }), 4)
  assert.is(wanted([a, pending], { a: 100 }), 2)
  const starting = aPod('s', {
    startTime: new Date(now - 60_000).toISOString(),
    conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: new Date(now - 50_000).toISOString() }],
  })
  assert.is(wanted([a, starting], { a: 50, s: 500 }), 2)
  assert.is(wanted([a, aPod('f', { phase: 'Failed' })], { a: 100, f: 900 }), 2)
})

calculator('utilization is a percentage of requests, which all Pods must have', () => {
  const requests = new Map([
    ['a', 100],
    ['b', 300],
  ])
  assert.equal(utilizationRatio(50, requests)(samplesOf({ a: 100, b: 200 })), {
    ratio: 1.5,
    measured: 150,
    utilization: 75,
  })
  assert.throws(() => utilizationRatio(50, new Map())(samplesOf({ a: 1 })), 'no metrics returned matched known pods')
  assert.throws(() => requestsOf([a], () => undefined, 'cpu'), 'missing request for cpu')
  assert.equal([...requestsOf([a], () => 7, 'cpu', 'other')], [['a', 0]])
})

calculator('a value may be for the whole target, or per Pod', () => {
  assert.is(replicasByValue(3000, 1000, 2, [a, aPod('b', { conditions: [] })], usual).replicas, 3)
  assert.is(replicasByValue(1050, 1000, 7, [], usual).replicas, 7)
  assert.is(replicasByValue(2500, 1000, 0, [], usual).replicas, 3)
  assert.throws(() => replicasByValue(3000, 1000, 2, [], usual), 'unable to calculate ready pods')
  assert.equal(replicasByAverage(20_000, 5000, 2, usual), { replicas: 4, measured: 10_000 })
  assert.is(replicasByAverage(10_500, 5000, 2, usual).replicas, 2)
})

calculator('uses the tolerances of the autoscaler, up and down', () => {
  const wide = { up: 0.5, down: 0.6 }
  assert.is(replicasByAverage(28_000, 10_000, 2, wide).replicas, 2)
  assert.is(replicasByAverage(32_000, 10_000, 2, wide).replicas, 4)
  assert.is(replicasByAverage(16_000, 10_000, 4, wide).replicas, 4)
  assert.is(replicasByAverage(16_000, 10_000, 4, { up: 0.5, down: 0.1 }).replicas, 2)
})

calculator.run()

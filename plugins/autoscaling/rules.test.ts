import { type FieldError, orchProfile, Vendor } from 'orch/sdk'
import { stepsOf } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fillV1, v1Conversion, v2beta1Conversion, v2beta2Conversion } from './horizontal-pod-autoscalers/conversion.js'
import { fillAutoscaler } from './horizontal-pod-autoscalers/defaults.js'
import type { MetricSpec } from './horizontal-pod-autoscalers/metric-structs.js'
import { mainStrategy } from './horizontal-pod-autoscalers/resource.js'
import { limited, type Recommendations } from './horizontal-pod-autoscalers/scaling/desired-replicas.js'
import type { HorizontalPodAutoscaler } from './horizontal-pod-autoscalers/schema.js'
import { autoscalingNames } from './names.js'

const vendor = new Vendor({ ...orchProfile, domain: 'acme.test', groupDomain: 'acme.test' })
const names = autoscalingNames(vendor)
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }
const cpu: MetricSpec = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
}
const metrics: MetricSpec[] = [
  { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '100Mi' } } },
  {
    type: 'Pods',
    pods: {
      metric: { name: 'p', selector: { matchLabels: { a: '<b>' } } },
      target: { type: 'AverageValue', averageValue: '1k' },
    },
  },
  {
    type: 'Object',
    object: {
      describedObject: { kind: 'Service', name: 's', apiVersion: 'v1' },
      target: { type: 'Value', value: '10' },
      metric: { name: 'rps' },
    },
  },
  { type: 'External', external: { metric: { name: 'queue' }, target: { type: 'AverageValue', averageValue: '30' } } },
  cpu,
]
const full = (): HorizontalPodAutoscaler => ({
  metadata: { name: 'h', annotations: { keep: 'me' } },
  spec: {
    scaleTargetRef,
    minReplicas: 2,
    maxReplicas: 5,
    metrics,
    behavior: {
      scaleDown: {
        stabilizationWindowSeconds: 60,
        selectPolicy: 'Min',
        policies: [{ type: 'Pods', value: 4, periodSeconds: 60 }],
      },
    },
  },
  status: {
    currentReplicas: 2,
    desiredReplicas: 3,
    currentMetrics: [
      { type: 'Resource', resource: { name: 'cpu', current: { averageValue: '200m', averageUtilization: 40 } } },
      { type: 'External', external: { metric: { name: 'queue' }, current: { value: '7' } } },
    ],
    conditions: [{ type: 'AbleToScale', status: 'True', lastTransitionTime: '2020-01-01T00:00:00Z', reason: 'R' }],
  },
})

const rules = suite('horizontal pod autoscalers')

for (const [version, conversion] of Object.entries({
  v1: v1Conversion(names),
  v2beta1: v2beta1Conversion(names),
  v2beta2: v2beta2Conversion(names),
}))
  rules(`nothing is lost on the way through ${version}`, () => {
    const there = conversion.fromStorage(full())
    assert.equal(conversion.toStorage(there as never), full())
  })

rules('v1 shows what it has no fields for in annotations', () => {
  const { metadata, spec, status } = v1Conversion(names).fromStorage(full())
  assert.equal([spec?.targetCPUUtilizationPercentage, status?.currentCPUUtilizationPercentage], [50, 40])
  assert.is(
    metadata?.annotations?.['autoscaling.alpha.acme.test/behavior'],
    '{"ScaleUp":null,"ScaleDown":{"StabilizationWindowSeconds":60,"SelectPolicy":"Min","Policies":[{"Type":"Pods","Value":4,"PeriodSeconds":60}]}}',
  )
  assert.match(metadata?.annotations?.['autoscaling.alpha.acme.test/metrics'] ?? '', /"a":"\\u003cb\\u003e"/)
})

rules('annotations that cannot be read say nothing', () => {
  const annotations = Object.fromEntries(Object.values(names).map(key => [key, '{']))
  const { metadata, spec } = v1Conversion(names).toStorage({
    metadata: { annotations },
    spec: { scaleTargetRef, maxReplicas: 2 },
  })
  assert.equal([metadata?.annotations, spec?.behavior], [undefined, undefined])
  assert.is(spec?.metrics, undefined)
  const sent = { metadata: { annotations }, spec: { scaleTargetRef, maxReplicas: 2 } }
  fillV1(names)(sent)
  assert.equal(sent.spec, { scaleTargetRef, maxReplicas: 2, targetCPUUtilizationPercentage: 80 } as never)
})

rules('what is not said of a behavior is filled in', () => {
  const autoscaler: HorizontalPodAutoscaler = { spec: { scaleTargetRef, maxReplicas: 2, behavior: {} } }
  fillAutoscaler(autoscaler)
  const { scaleUp, scaleDown } = autoscaler.spec?.behavior ?? {}
  assert.equal(
    [scaleUp?.policies?.length, scaleDown?.policies?.length, scaleDown?.stabilizationWindowSeconds],
    [2, 1, undefined],
  )
})

const told = (errors: FieldError[]) => errors.map(({ field, type }) => `${field} ${type.slice(10)}`)
const cases: Record<string, { spec: object; wrong: string[] }> = {
  'may have what is right': { spec: { metrics }, wrong: [] },
  'has at least one Pod': { spec: { minReplicas: 0 }, wrong: ['spec.minReplicas Invalid', 'spec.metrics Forbidden'] },
  'has as many at most as at least': { spec: { minReplicas: 9 }, wrong: ['spec.maxReplicas Invalid'] },
  'names what it scales': {
    spec: { scaleTargetRef: { kind: 'a/b', name: '' } },
    wrong: ['spec.scaleTargetRef.kind Invalid', 'spec.scaleTargetRef.name Required'],
  },
  'has one source for a metric': {
    spec: { metrics: [{ ...cpu, external: metrics[3]?.external }] },
    wrong: ['spec.metrics[0].external Forbidden'],
  },
  'has a target that can be met': {
    spec: {
      metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Odd', averageUtilization: 0 } } }],
    },
    wrong: [
      'spec.metrics[0].resource.target.type Invalid',
      'spec.metrics[0].resource.target.averageUtilization Invalid',
    ],
  },
  'changes at a known pace': {
    spec: { behavior: { scaleUp: { stabilizationWindowSeconds: 3601, selectPolicy: 'Some', policies: [] } } },
    wrong: [
      'spec.behavior.scaleUp.stabilizationWindowSeconds Invalid',
      'spec.behavior.scaleUp.selectPolicy NotSupported',
      'spec.behavior.scaleUp.policies Required',
    ],
  },
}
for (const [title, { spec, wrong }] of Object.entries(cases))
  rules(`one ${title}`, () => {
    const autoscaler = { spec: { scaleTargetRef, minReplicas: 1, maxReplicas: 5, ...spec } } as HorizontalPodAutoscaler
    assert.equal(told(stepsOf(mainStrategy(names, false)).validate(autoscaler)), wrong)
  })

rules('it shrinks only when nothing asked for more lately, and grows at most twofold', () => {
  const history: Recommendations = []
  const at = (wanted: number, current: number, now: number) =>
    limited(wanted, current, { min: 1, max: 20, downWindowSeconds: 60 }, history, now)
  assert.equal(at(6, 6, 0), { replicas: 6 })
  assert.equal(at(2, 6, 30_000), { replicas: 6 })
  assert.equal(at(2, 6, 70_000), { replicas: 2 })
  assert.equal(at(19, 6, 80_000), { replicas: 12, reason: 'ScaleUpLimit' })
  assert.equal(limited(30, 12, { min: 1, max: 20 }, [], 0), { replicas: 20, reason: 'TooManyReplicas' })
})

rules.run()

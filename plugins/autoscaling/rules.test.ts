import { type FieldError, kubernetesProfile, orchProfile, profileAtVersion, Vendor } from 'orch/sdk'
import { stepsOf } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fillV1, v1Conversion, v2beta1Conversion, v2beta2Conversion } from './horizontal-pod-autoscalers/conversion.js'
import { fillAutoscaler } from './horizontal-pod-autoscalers/defaults.js'
import type { MetricSpec, ScalingRules } from './horizontal-pod-autoscalers/metric-structs.js'
import { mainStrategy } from './horizontal-pod-autoscalers/resource.js'
import {
  type LimitedReplicas,
  limitReplicas,
  newHistory,
} from './horizontal-pod-autoscalers/scaling/desired-replicas.js'
import type { HorizontalPodAutoscaler } from './horizontal-pod-autoscalers/schema.js'
import { validateAutoscaler } from './horizontal-pod-autoscalers/validation.js'
import { autoscalingNames } from './names.js'

const vendor = new Vendor({ ...orchProfile, domain: 'acme.test', groupDomain: 'acme.test' })
const vendorAt = (version: `1.${number}`) => new Vendor(profileAtVersion(kubernetesProfile, version)!)
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

rules('v1 has annotations for values without a field', () => {
  const { metadata, spec, status } = v1Conversion(names).fromStorage(full())
  assert.equal([spec?.targetCPUUtilizationPercentage, status?.currentCPUUtilizationPercentage], [50, 40])
  assert.is(
    metadata?.annotations?.['autoscaling.alpha.acme.test/behavior'],
    '{"ScaleUp":null,"ScaleDown":{"StabilizationWindowSeconds":60,"SelectPolicy":"Min","Policies":[{"Type":"Pods","Value":4,"PeriodSeconds":60}]}}',
  )
  assert.match(metadata?.annotations?.['autoscaling.alpha.acme.test/metrics'] ?? '', /"a":"\\u003cb\\u003e"/)
})

rules('v1 has an annotation for what is measured, also if that is the cpu alone', () => {
  const measured = (averageUtilization: number) => ({
    type: 'Resource',
    resource: { name: 'cpu', current: { averageUtilization } },
  })
  const autoscaler = { ...full(), status: { ...full().status!, currentMetrics: [measured(40), measured(50)] } }
  const { metadata, status } = v1Conversion(names).fromStorage(autoscaler)
  assert.is(status?.currentCPUUtilizationPercentage, 50)
  assert.match(
    metadata?.annotations?.['autoscaling.alpha.acme.test/current-metrics'] ?? '',
    /"currentAverageValue":"0"/,
  )
})

rules('a target that v1 cannot leave out is dropped from 1.36 on', () => {
  const target = { type: 'AverageValue', averageValue: '1' }
  const describedObject = { kind: 'Service', name: 's' }
  const metrics = [{ type: 'Object', object: { describedObject, metric: { name: 'm' }, target } }]
  const targetAt = (dropsZeroTargets: boolean) => {
    const conversion = v1Conversion(names, { dropsZeroTargets })
    const stored = { ...full(), spec: { ...full().spec!, metrics } }
    return conversion.toStorage(conversion.fromStorage(stored)).spec?.metrics?.[0]?.object?.target
  }
  assert.equal(targetAt(true), target)
  assert.equal(targetAt(false), { ...target, value: '0' })
})

rules('invalid annotations are ignored', () => {
  const annotations = Object.fromEntries(names.all.map(key => [key, '{']))
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

rules('the object of a metric has a valid version from 1.34 on, unless a stored one has not', () => {
  const about = (apiVersion: string): HorizontalPodAutoscaler => {
    const describedObject = { kind: 'Service', name: 's', apiVersion }
    const object = { describedObject, metric: { name: 'm' }, target: { type: 'Value', value: '1' } }
    return { spec: { scaleTargetRef, maxReplicas: 2, metrics: [{ type: 'Object', object }] } }
  }
  const fields = (version: `1.${number}`, sent: string, stored?: string) =>
    validateAutoscaler(about(sent), stored === undefined ? undefined : about(stored), vendorAt(version), true).map(
      ({ field }) => field,
    )
  const at = 'spec.metrics[0].object.describedObject.apiVersion'
  assert.equal([fields('1.33', 'a/b/c'), fields('1.34', 'a/b/c')], [[], [at]])
  assert.equal([fields('1.34', ''), fields('1.34', 'v1'), fields('1.34', 'apps/v1')], [[], [], []])
  assert.equal([fields('1.34', 'a/b/c', 'v1'), fields('1.34', 'a/b/c', 'x/y/z')], [[at], []])
})

rules('a behavior gets defaults', () => {
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
  'may be valid': { spec: { metrics }, wrong: [] },
  'has at least one Pod': { spec: { minReplicas: 0 }, wrong: ['spec.minReplicas Invalid', 'spec.metrics Forbidden'] },
  'has a maximum that is not below the minimum': { spec: { minReplicas: 9 }, wrong: ['spec.maxReplicas Invalid'] },
  'has a valid scale target': {
    spec: { scaleTargetRef: { kind: 'a/b', name: '' } },
    wrong: ['spec.scaleTargetRef.kind Invalid', 'spec.scaleTargetRef.name Required'],
  },
  'has one source for a metric': {
    spec: { metrics: [{ ...cpu, external: metrics[3]?.external }] },
    wrong: ['spec.metrics[0].external Forbidden'],
  },
  'has metrics with a valid target': {
    spec: {
      metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Odd', averageUtilization: 0 } } }],
    },
    wrong: [
      'spec.metrics[0].resource.target.type Invalid',
      'spec.metrics[0].resource.target.averageUtilization Invalid',
    ],
  },
  'has a valid behavior': {
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
    assert.equal(told(stepsOf(mainStrategy(false)).validate(autoscaler)), wrong)
  })

const limits = (found: LimitedReplicas) => [found.replicas, found.limit?.reason, found.stabilized?.reason]

rules('it scales down to the highest recent recommendation, and up to at most twice its size', () => {
  const history = newHistory()
  const behavior = { scaleDown: { stabilizationWindowSeconds: 60 } }
  const at = (wanted: number, current: number, now: number) =>
    limits(limitReplicas(wanted, current, { min: 1, max: 20, behavior }, history, now))
  assert.equal(at(6, 6, 0), [6, undefined, undefined])
  assert.equal(at(2, 6, 30_000), [6, undefined, 'ScaleDownStabilized'])
  assert.equal(at(2, 6, 90_000), [2, undefined, undefined])
  assert.equal(at(19, 6, 100_000), [12, 'ScaleUpLimit', undefined])
  assert.equal(limits(limitReplicas(30, 12, { min: 1, max: 20 }, newHistory(), 0)), [20, 'TooManyReplicas', undefined])
  assert.equal(limits(limitReplicas(1, 12, { min: 2, max: 20 }, newHistory(), 0)), [2, 'TooFewReplicas', undefined])
})

rules('it scales up to the lowest recommendation in the window', () => {
  const history = newHistory()
  const behavior = { scaleUp: { stabilizationWindowSeconds: 60, selectPolicy: 'Max', policies: [percent(1000, 15)] } }
  const at = (wanted: number, current: number, now: number) =>
    limits(limitReplicas(wanted, current, { min: 1, max: 20, behavior }, history, now))
  assert.equal(at(3, 3, 0), [3, undefined, undefined])
  assert.equal(at(9, 3, 30_000), [3, undefined, 'ScaleUpStabilized'])
  assert.equal(at(8, 3, 70_000), [8, undefined, undefined])
})

const pods = (value: number, periodSeconds: number) => ({ type: 'Pods', value, periodSeconds })
const percent = (value: number, periodSeconds: number) => ({ type: 'Percent', value, periodSeconds })
const policyCases: [title: string, policies: object[], select: string, wanted: number, expected: unknown[]][] = [
  [
    'the policy with the largest change is used',
    [pods(2, 60), percent(10, 60)],
    'Max',
    40,
    [22, 'ScaleUpLimit', undefined],
  ],
  [
    'the policy with the smallest change is used',
    [pods(4, 60), percent(10, 60)],
    'Min',
    40,
    [22, 'ScaleUpLimit', undefined],
  ],
  ['no growth is allowed', [pods(4, 60)], 'Disabled', 40, [20, 'ScaleUpLimit', undefined]],
  ['it shrinks by Pods', [pods(3, 60)], 'Max', 5, [17, 'ScaleDownLimit', undefined]],
  ['it shrinks by the larger share', [pods(3, 60), percent(50, 60)], 'Max', 5, [10, 'ScaleDownLimit', undefined]],
  ['it shrinks by the smaller share', [pods(3, 60), percent(50, 60)], 'Min', 5, [17, 'ScaleDownLimit', undefined]],
  ['it may not shrink', [percent(100, 60)], 'Disabled', 5, [20, 'ScaleDownLimit', undefined]],
]
for (const [title, policies, selectPolicy, wanted, expected] of policyCases)
  rules(`policies: ${title}`, () => {
    const one = { stabilizationWindowSeconds: 0, selectPolicy, policies } as ScalingRules
    const bounds = { min: 1, max: 50, behavior: { scaleUp: one, scaleDown: one } }
    assert.equal(limits(limitReplicas(wanted, 20, bounds, newHistory(), 0)), expected)
  })

rules('a policy counts changes within its period', () => {
  const history = newHistory()
  const one = { stabilizationWindowSeconds: 0, selectPolicy: 'Max', policies: [pods(4, 60)] } as ScalingRules
  const bounds = { min: 1, max: 50, behavior: { scaleUp: one, scaleDown: one } }
  history.changes.push({ at: 1000, by: 3 })
  assert.equal(limits(limitReplicas(40, 13, bounds, history, 30_000)), [14, 'ScaleUpLimit', undefined])
  history.changes.push({ at: 30_000, by: 1 })
  assert.equal(limits(limitReplicas(40, 14, bounds, history, 45_000)), [14, 'ScaleUpLimit', undefined])
  assert.equal(limits(limitReplicas(40, 14, bounds, history, 61_500)), [17, 'ScaleUpLimit', undefined])
})

rules('new scale targets must have an API group from 1.34 on', () => {
  const core = { spec: { scaleTargetRef: { ...scaleTargetRef, apiVersion: 'v1' }, maxReplicas: 2 } }
  const fields = (version: `1.${number}`, stored?: HorizontalPodAutoscaler) =>
    validateAutoscaler(core, stored, vendorAt(version), true).map(({ field }) => field)
  assert.equal(fields('1.33'), [])
  assert.equal(fields('1.34'), ['spec.scaleTargetRef.apiVersion'])
  assert.equal(fields('1.34', core), [])
  core.spec.scaleTargetRef.kind = 'ReplicationController'
  assert.equal(fields('1.34'), [])
})

rules('a metric of a container names a resource and a container', () => {
  const target = { type: 'Utilization', averageUtilization: 50 }
  const errors = (name: string, container: string) => {
    const source: MetricSpec[] = [{ type: 'ContainerResource', containerResource: { name, container, target } }]
    const spec = { scaleTargetRef, maxReplicas: 2, metrics: source }
    return validateAutoscaler({ spec }, undefined, vendorAt('1.36'), true).map(({ field, type }) => `${field} ${type}`)
  }
  const at = 'spec.metrics[0].containerResource'
  assert.equal(errors('cpu', 'a'), [])
  assert.equal(errors('speed', 'A_'), [
    `${at}.name FieldValueInvalid`,
    `${at}.name FieldValueInvalid`,
    `${at}.container FieldValueInvalid`,
  ])
})

rules('maxReplicas is required from 1.36 on', () => {
  const types = (version: `1.${number}`) =>
    validateAutoscaler({ spec: { scaleTargetRef, maxReplicas: 0 } }, undefined, vendorAt(version), true).map(
      ({ type }) => type,
    )
  assert.not.equal(types('1.35'), types('1.36'))
  assert.equal(types('1.36').length, 1)
})

rules.run()

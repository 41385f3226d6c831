import { kubernetesProfile, profileAtVersion, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { autoscalingNames } from '../names.js'
import { fillV1, v1Conversion } from './conversion.js'
import { readBehavior, readConditions, readMeasured, readMetrics } from './read-annotations.js'
import { validateAutoscaler } from './validation.js'

const reading = suite('annotations of autoscalers')

const readers: Record<string, (text: string) => unknown> = {
  metrics: readMetrics,
  'current-metrics': readMeasured,
  conditions: readConditions,
  behavior: text => readBehavior(text, true),
}
const selector = (matchLabels: unknown, matchExpressions?: unknown) => ({
  pods: { selector: { matchLabels, matchExpressions } },
})
const wrong: Record<string, unknown[]> = {
  metrics: [
    {},
    ['x'],
    [{ type: 1 }],
    [{ type: 'Pods', pods: 'x' }],
    [{ type: 'Pods', pods: { metricName: 'x', targetAverageValue: 'abc' } }],
    [{ type: 'Pods', pods: { metricName: 'x', targetAverageValue: '' } }],
    [{ type: 'Pods', pods: { metricName: 'x', targetAverageValue: {} } }],
    [{ type: 'Pods' }, { external: { targetValue: true } }],
    [{ resource: { targetAverageUtilization: 0.5 } }],
    [{ resource: { targetAverageUtilization: '5' } }],
    [{ containerResource: { container: [] } }],
    [{ object: { target: [] } }],
    [selector(['a'])],
    [selector({ a: 1 })],
    [selector({}, {})],
    [selector({}, [{ values: [1] }])],
  ],
  'current-metrics': [
    'x',
    [[]],
    [{ pods: { currentAverageValue: 'abc' } }],
    [{ resource: { currentAverageUtilization: 2 ** 31 } }],
    [{ external: { metricSelector: 'a=b' } }],
  ],
  conditions: [1, [1], [{ status: true }], [{ lastTransitionTime: 'soon' }], [{ lastTransitionTime: 1 }]],
  behavior: [
    [],
    { ScaleDown: 1 },
    { ScaleUp: { Policies: [{ Value: 'x' }] } },
    { ScaleUp: { Policies: {} } },
    { ScaleUp: { Tolerance: 'x' } },
    { ScaleUp: { StabilizationWindowSeconds: 1.5 } },
  ],
}

const vendor = new Vendor(profileAtVersion(kubernetesProfile, '1.36')!)
const names = autoscalingNames(vendor)
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }
const annotationFor = (name: string, text: string) => ({ [`autoscaling.alpha.kubernetes.io/${name}`]: text })
const storedFor = (annotations: Record<string, string>) => {
  const sent = { metadata: { annotations }, spec: { scaleTargetRef, maxReplicas: 2 } }
  fillV1(names)(sent)
  return v1Conversion(names, { includesTolerance: true }).toStorage(sent)
}

for (const [name, values] of Object.entries(wrong))
  reading(`a value of a wrong type makes "${name}" mean nothing`, () => {
    for (const text of ['', '{', ...values.map(value => JSON.stringify(value))]) {
      assert.is(readers[name]?.(text), undefined, text)
      const stored = storedFor(annotationFor(name, text))
      assert.equal(stored, storedFor({}), text)
      assert.equal(validateAutoscaler(stored, undefined, vendor, true), [])
    }
  })

reading('what is missing or null is empty or zero, and other fields are ignored', () => {
  assert.equal(readMetrics('[null, {"Type":"Pods","pods":{"TARGETAVERAGEVALUE":5,"x":1}}, {"object":{}}]'), [
    { type: '' },
    { type: 'Pods', pods: { metricName: '', targetAverageValue: '5' } },
    { type: '', object: { target: { kind: '', name: '' }, metricName: '', targetValue: '0' } },
  ])
  assert.equal(readMeasured('[{"resource":{"currentAverageUtilization":0}}]'), [
    { type: '', resource: { name: '', currentAverageUtilization: 0, currentAverageValue: '0' } },
  ])
  assert.equal(readConditions('[{"type":"A","reason":"","lastTransitionTime":"2020-01-01T01:00:00+01:00"}]'), [
    { type: 'A', status: '', lastTransitionTime: '2020-01-01T00:00:00Z' },
  ])
  assert.equal(readBehavior('{"ScaleUp":{"Policies":[{}]},"ScaleDown":null}', true), {
    scaleUp: { policies: [{ type: '', value: 0, periodSeconds: 0 }] },
  })
  assert.equal(
    [readMetrics('null'), readBehavior('null', true), readBehavior('{"x":1}', true)],
    [[], undefined, undefined],
  )
})

reading('quantities are in their canonical form', () => {
  const [metric] = readMetrics('[{"external":{"targetValue":" 1000m ","targetAverageValue":"1024Ki"}}]') ?? []
  assert.equal([metric?.external?.targetValue, metric?.external?.targetAverageValue], ['1', '1Mi'])
})

reading('a tolerance is an unknown field where behavior has none', () => {
  const text = '{"ScaleUp":{"SelectPolicy":"Max","Tolerance":"x"}}'
  assert.equal(readBehavior(text, false), { scaleUp: { selectPolicy: 'Max' } })
  assert.is(readBehavior(text, true), undefined)
})

reading('annotations for tolerances are dropped from 1.33 on', () => {
  const annotations = { ...annotationFor('scale-up-tolerance', '1'), ...annotationFor('scale-down-tolerance', '1') }
  const keptAt = (version: '1.32' | '1.33') => {
    const own = autoscalingNames(new Vendor(profileAtVersion(kubernetesProfile, version)!))
    return v1Conversion(own).toStorage({ metadata: { annotations } }).metadata?.annotations
  }
  assert.equal([keptAt('1.32'), keptAt('1.33')], [annotations, undefined])
})

reading.run()

import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ServedLevel } from '../../plugin/level.js'
import type { PodSpec } from '../pod-spec.js'
import { defaultPodSpec } from './defaults.js'

const level = new ServedLevel('1.23')

const defaults = suite('defaults of pod specs')
const images: Record<string, string> = {
  i: 'Always',
  'i:latest': 'Always',
  'registry.test:5000/a/b': 'Always',
  'i:1.2': 'IfNotPresent',
  'registry.test:5000/a/b:v1': 'IfNotPresent',
  [`i@sha256:${'a'.repeat(64)}`]: 'IfNotPresent',
  'Not An Image': 'IfNotPresent',
}
for (const [image, policy] of Object.entries(images))
  defaults(`pull ${image} ${policy}`, () => {
    const spec: PodSpec = { containers: [{ name: 'c', image }] }
    defaultPodSpec(spec, level)
    assert.is(spec.containers[0]?.imagePullPolicy, policy)
  })

defaults('use the port of the container on a node whose network is shared', () => {
  const spec: PodSpec = { hostNetwork: true, containers: [{ name: 'c', ports: [{ containerPort: 80 }] }] }
  defaultPodSpec(spec, level)
  assert.is(spec.containers[0]?.ports?.[0]?.hostPort, 80)
})

defaults('round amounts up to thousandths', () => {
  const spec: PodSpec = { containers: [{ name: 'c', resources: { limits: { cpu: '100u' } } }] }
  defaultPodSpec(spec, level)
  assert.is(spec.containers[0]?.resources?.limits?.['cpu'], '1m')
})

defaults.run()

import { kubernetesProfile, profileAtVersion, type StrategyContext, Vendor, type VendorProfile } from 'orch/sdk'
import { type Container, type Pod, type PodSpec, podAnnotations, type ResourceRequirements } from 'orch/sdk/core'
import { stepsOf } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { resizeStrategy } from './resize-strategy.js'

const at = (version: string) =>
  ({ vendor: new Vendor(profileAtVersion(kubernetesProfile, version) as VendorProfile), now: 0 }) as StrategyContext
const container = (name: string, resources: ResourceRequirements = {}, more: Partial<Container> = {}): Container => ({
  name,
  image: 'i',
  terminationMessagePolicy: 'File',
  imagePullPolicy: 'Always',
  resources,
  ...more,
})
const cpu = (amount: string) => ({ requests: { cpu: amount } })
const podWith = (spec: Partial<PodSpec>, annotations: Record<string, string> = {}): Pod => ({
  metadata: { name: 'p', annotations },
  spec: {
    containers: [container('c', cpu('1'))],
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    ...spec,
  },
  status: { phase: 'Running', qosClass: 'Burstable' },
})
function resize(version: string, stored: Pod, to: Partial<PodSpec>): { errors: string[]; spec: PodSpec } {
  const context = at(version)
  const sent = structuredClone({ ...stored, spec: { ...stored.spec, ...to } })
  const { prepareForUpdate, validateUpdate } = stepsOf(resizeStrategy)
  prepareForUpdate(sent, stored, context)
  const errors = validateUpdate(sent, stored, context).map(({ field, type }) => `${field} ${type.slice(10)}`)
  return { errors, spec: sent.spec }
}

const resizes = suite('resizes of Pods')
interface Case {
  readonly stored: Partial<PodSpec>
  readonly to: Partial<PodSpec>
  /** The errors at 1.34, 1.35 and 1.36. */
  readonly wrong: readonly [string[], string[], string[]]
}
const sidecar = { restartPolicy: 'Always' }
const restarting = { resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] }
const gpu = { requests: { cpu: '1', 'example.com/gpu': '1' }, limits: { 'example.com/gpu': '1' } }
const moreGpu = { requests: { cpu: '1', 'example.com/gpu': '2' }, limits: { 'example.com/gpu': '2' } }
const cases: Record<string, Case> = {
  'of whole Pods are possible from 1.36 on': {
    stored: { resources: cpu('2') },
    to: { resources: cpu('3') },
    wrong: [['[] Forbidden'], ['[] Forbidden'], []],
  },
  'of containers in Pods with own resources are possible from 1.36 on': {
    stored: { resources: cpu('4') },
    to: { containers: [container('c', cpu('2'))] },
    wrong: [['[] Forbidden'], ['[] Forbidden'], []],
  },
  'give a Pod resources of its own from 1.36 on': { stored: {}, to: { resources: cpu('3') }, wrong: [[], [], []] },
  'do not remove requests of Pods': {
    stored: { resources: { requests: { cpu: '2', memory: '1Gi' } } },
    to: { resources: cpu('2') },
    wrong: [['[] Forbidden'], ['[] Forbidden'], ['spec.resources.requests Forbidden']],
  },
  'change only cpu and memory of Pods': {
    stored: { resources: { requests: { cpu: '2' }, limits: { 'hugepages-2Mi': '2Mi', cpu: '2' } } },
    to: { resources: { requests: { cpu: '2' }, limits: { 'hugepages-2Mi': '4Mi', cpu: '2' } } },
    wrong: [['[] Forbidden'], ['[] Forbidden'], ['spec Forbidden']],
  },
  'change only cpu and memory of sidecars': {
    stored: { initContainers: [container('i', gpu, sidecar)] },
    to: { initContainers: [container('i', moreGpu, sidecar)] },
    wrong: [['spec Forbidden'], ['spec Forbidden'], ['spec.initContainers[0] Forbidden']],
  },
  'of init containers that are no sidecars are possible from 1.36 on': {
    stored: { initContainers: [container('i', cpu('1'))] },
    to: { initContainers: [container('i', cpu('2'))] },
    wrong: [['spec Forbidden'], ['spec Forbidden'], []],
  },
  'do not restart init containers': {
    stored: { initContainers: [container('i', cpu('1'), restarting)] },
    to: { initContainers: [container('i', cpu('2'), restarting)] },
    wrong: [['spec Forbidden'], ['spec Forbidden'], ['spec.initContainers[0] Forbidden']],
  },
  'leave init containers alone that would be restarted': {
    stored: { initContainers: [container('i', cpu('1'), restarting)] },
    to: { containers: [container('c', cpu('2'))] },
    wrong: [[], [], []],
  },
  'may restart sidecars': {
    stored: { initContainers: [container('i', cpu('1'), { ...sidecar, ...restarting })] },
    to: { initContainers: [container('i', cpu('2'), { ...sidecar, ...restarting })] },
    wrong: [[], [], []],
  },
}
for (const [title, { stored, to, wrong }] of Object.entries(cases))
  resizes(title, () => {
    const versions = ['1.34', '1.35', '1.36']
    assert.equal(
      versions.map(version => resize(version, podWith(stored), to).errors),
      [...wrong],
    )
  })

resizes('set or lower a memory limit at 1.33 only with a restart', () => {
  const withLimit = (memory: string | undefined, more = {}) => {
    const resources = { requests: { cpu: '1' }, ...(memory === undefined ? {} : { limits: { memory } }) }
    return { containers: [container('c', resources, more)] }
  }
  const wrong = (from: string | undefined, to: string, version = '1.33', more = {}) =>
    resize(version, podWith(withLimit(from, more)), withLimit(to, more)).errors
  const refused = ['spec.containers[0].resources.limits[memory] Forbidden']
  assert.equal(wrong('256Mi', '128Mi'), refused)
  assert.equal(wrong(undefined, '128Mi'), refused)
  assert.equal(wrong('128Mi', '256Mi'), [])
  const policy = { resizePolicy: [{ resourceName: 'memory', restartPolicy: 'RestartContainer' }] }
  assert.equal(wrong('256Mi', '128Mi', '1.33', policy), [])
  assert.equal(wrong('256Mi', '128Mi', '1.34'), [])
})

resizes('keep the resources of Pods before 1.36', () => {
  const stored = podWith({ resources: cpu('2') })
  const after = (version: string) => resize(version, stored, { resources: cpu('3') }).spec.resources
  assert.equal([after('1.35'), after('1.36')], [cpu('2'), cpu('3')])
})
resizes('of Pods with own resources are refused first at 1.34, after other errors at 1.35', () => {
  const stored = podWith({ resources: { ...cpu('2'), limits: { cpu: '2' } } })
  const to = { containers: [container('c', { requests: { cpu: '-1' } })] }
  assert.equal(resize('1.34', stored, to).errors, ['[] Forbidden'])
  assert.equal(resize('1.35', stored, to).errors, [
    'spec.containers[0].resources.requests[cpu] Invalid',
    '[] Forbidden',
  ])
})
resizes('of mirror Pods are refused', () => {
  const mirror = podWith({ nodeName: 'n' }, { [podAnnotations(at('1.36').vendor).mirror]: 'x' })
  assert.equal(resize('1.36', mirror, { containers: [container('c', cpu('2'))] }).errors, ['[] Forbidden'])
})
resizes.run()

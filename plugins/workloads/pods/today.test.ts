import {
  type FieldError,
  kubernetesProfile,
  profileAtVersion,
  type StrategyContext,
  Vendor,
  type VendorProfile,
} from 'orch/sdk'
import { type Container, type Pod, type PodSpec, podAnnotations } from 'orch/sdk/core'
import { stepsOf } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { resizeStrategy } from './resize-strategy.js'
import { mainStrategy } from './strategy.js'

const at = (version: string): StrategyContext =>
  ({ vendor: new Vendor(profileAtVersion(kubernetesProfile, version) as VendorProfile), now: 0 }) as StrategyContext
const told = (errors: FieldError[]) => errors.map(({ field, type }) => `${field} ${type.slice(10)}`)
const container = (name: string, more: Partial<Container> = {}): Container => ({
  name,
  image: 'i',
  terminationMessagePolicy: 'File',
  imagePullPolicy: 'Always',
  ...more,
})
const podWith = (spec: Partial<PodSpec>): Pod => ({
  metadata: { name: 'p', labels: { app: 'x' } },
  spec: { containers: [container('c')], restartPolicy: 'Always', terminationGracePeriodSeconds: 30, ...spec },
  status: { phase: 'Pending', qosClass: 'BestEffort' },
})
const wrongAt = (version: string, spec: Partial<PodSpec>) =>
  told(stepsOf(mainStrategy).validate(podWith(spec), at(version)))
const madeAt = (version: string, spec: Partial<PodSpec>) => {
  const pod = podWith(spec)
  stepsOf(mainStrategy).prepareForCreate(pod, at(version))
  return pod
}

const today = suite('Pods from version to version')
const livenessProbe = { exec: { command: ['true'] }, successThreshold: 1 }

today('probes are for sidecars, not for other init containers', () => {
  const initContainers = [container('s', { restartPolicy: 'Always', livenessProbe }), container('i', { livenessProbe })]
  assert.equal(wrongAt('1.36', { initContainers }), ['spec.initContainers[1].livenessProbe Forbidden'])
  assert.equal(wrongAt('1.24', { initContainers: [container('i', { livenessProbe })] }), [
    'spec.initContainers[0].livenessProbe Invalid',
  ])
})

today('containers have restart policies of their own since 1.35', () => {
  const containers = [container('c', { restartPolicy: 'Never' })]
  assert.equal(wrongAt('1.34', { containers }), ['spec.containers[0].restartPolicy Forbidden'])
  assert.equal(wrongAt('1.35', { containers }), [])
  const restartPolicyRules = [{ action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [1] } }]
  const ruled = { containers: [container('c', { restartPolicy: 'Never', restartPolicyRules })] }
  assert.equal(wrongAt('1.35', ruled), ['spec.containers[0].restartPolicyRules[0].action NotSupported'])
  assert.equal(wrongAt('1.36', ruled), [])
})

today('a Pod with scheduling gates has a condition, and no node', () => {
  const schedulingGates = [{ name: 'a' }]
  assert.is(madeAt('1.36', { schedulingGates }).status?.conditions?.[0]?.reason, 'SchedulingGated')
  assert.equal(wrongAt('1.36', { schedulingGates, nodeName: 'n' }), ['spec.nodeName Forbidden'])
})

today('the condition of a Pod with scheduling gates has a time from 1.31 on', () => {
  const schedulingGates = [{ name: 'a' }]
  const since = (version: string) => madeAt(version, { schedulingGates }).status?.conditions?.[0]?.lastTransitionTime
  assert.is(since('1.30'), null)
  assert.type(since('1.31'), 'string')
})

today('a seccomp profile becomes an annotation until 1.24', () => {
  const securityContext = { seccompProfile: { type: 'RuntimeDefault' } }
  const annotated = (version: string) => Object.values(madeAt(version, { securityContext }).metadata?.annotations ?? {})
  assert.equal(annotated('1.24'), ['runtime/default'])
  assert.equal(annotated('1.25'), [])
})

today('the claim of an ephemeral volume may be for a single Pod from 1.27 on', () => {
  const spec = { accessModes: ['ReadWriteOncePod'], resources: { requests: { storage: '1Gi' } } }
  const volumes = [{ name: 'v', ephemeral: { volumeClaimTemplate: { spec } } }]
  assert.equal(wrongAt('1.26', { volumes }), [
    'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.accessModes NotSupported',
  ])
  assert.equal(wrongAt('1.27', { volumes }), [])
})

today('label keys become a part of the stored selectors, of topology constraints since 1.34', () => {
  const selectorAt = (version: string) => {
    const constraint = {
      maxSkew: 1,
      topologyKey: 'zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: {},
      matchLabelKeys: ['app', 'none'],
    }
    return madeAt(version, { topologySpreadConstraints: [constraint] }).spec.topologySpreadConstraints?.[0]
      ?.labelSelector
  }
  assert.equal(selectorAt('1.33'), {})
  assert.equal(selectorAt('1.34'), { matchExpressions: [{ key: 'app', operator: 'In', values: ['x'] }] })
})

today('image volumes are dropped with their mounts before 1.35', () => {
  const spec = {
    volumes: [{ name: 'v', image: { reference: 'i', pullPolicy: 'Always' } }],
    containers: [container('c', { volumeMounts: [{ name: 'v', mountPath: '/v' }] })],
  }
  const kept = (version: string) => {
    const { volumes, containers } = madeAt(version, structuredClone(spec)).spec
    return [volumes?.length, containers[0]?.volumeMounts?.length]
  }
  assert.equal(
    [kept('1.34'), kept('1.35')],
    [
      [0, 0],
      [1, 1],
    ],
  )
})

today('a resize changes cpu and memory and ignores the rest', () => {
  const resources = (cpu: string) => ({ requests: { cpu }, limits: { cpu: '2' } })
  const stored = podWith({ containers: [container('c', { resources: resources('1') })] })
  stored.status = { qosClass: 'Burstable' }
  const sent = podWith({ containers: [container('c', { image: 'other', resources: resources('1500m') })] })
  stepsOf(resizeStrategy).prepareForUpdate(sent, stored, at('1.36'))
  assert.equal([sent.spec.containers[0]?.image, sent.spec.containers[0]?.resources?.requests], ['i', { cpu: '1500m' }])
  assert.equal(told(stepsOf(resizeStrategy).validateUpdate(sent, stored, at('1.36'))), [])
  const without = podWith({ containers: [container('c', { resources: { requests: { cpu: '1' } } })] })
  assert.equal(told(stepsOf(resizeStrategy).validateUpdate(without, stored, at('1.36'))), [
    'spec.containers[0].resources.limits Forbidden',
  ])
})

today('Pod-level requests must not be less than those of the containers', () => {
  const containers = [container('c', { resources: { requests: { cpu: '2' } } })]
  assert.equal(wrongAt('1.36', { containers, resources: { requests: { cpu: '1' } } }), [
    'spec.resources.requests[cpu] Invalid',
  ])
  assert.equal(
    wrongAt('1.36', { resources: { requests: { 'example.com/gpu': '1' }, limits: { 'example.com/gpu': '1' } } }),
    ['spec.resources.limits[example.com/gpu] NotSupported', 'spec.resources.requests[example.com/gpu] NotSupported'],
  )
})

today('names, addresses and preferred values of new Pods are warned about', () => {
  const warned = (version: string, spec: Partial<PodSpec>, name = 'p') =>
    stepsOf(mainStrategy)
      .warnings({ ...podWith(spec), metadata: { name } }, undefined, at(version))
      .map(text => text.split(':')[0])
  assert.equal(warned('1.26', {}, 'a.b'), [])
  assert.equal(warned('1.27', {}, 'a.b'), ['metadata.name'])
  const preference = { matchExpressions: [{ key: 'k', operator: 'In' as const, values: ['-bad-'] }] }
  const spec = {
    dnsConfig: { nameservers: ['2001:DB8::1'] },
    affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference }] } },
  }
  assert.equal(warned('1.32', spec), [])
  assert.equal(warned('1.33', spec), [
    'spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[0].values[0]',
    'spec.dnsConfig.nameservers[0]',
  ])
  assert.equal(warned('1.30', { nodeSelector: { 'node-role.kubernetes.io/master': '' } }), [])
  assert.equal(warned('1.31', { nodeSelector: { 'node-role.kubernetes.io/master': '' } }).length, 1)
})

today('an AppArmor annotation causes a warning about the field', () => {
  const key = 'container.apparmor.security.beta.kubernetes.io/c'
  const toldAt = (version: string, spec: Partial<PodSpec> = {}) => {
    const texts: string[] = []
    const pod = { ...podWith(spec), metadata: { name: 'p', annotations: { [key]: 'unconfined' } } }
    stepsOf(mainStrategy).prepareForCreate(pod, { ...at(version), warn: text => texts.push(text) })
    return texts.length
  }
  assert.is(toldAt('1.29'), 0)
  assert.is(toldAt('1.30'), 1)
  assert.is(toldAt('1.30', { securityContext: { appArmorProfile: { type: 'Unconfined' } } }), 0)
})

today('an AppArmor profile that cannot be read is reported once', () => {
  const errorsAt = (version: string) => {
    const pod = podWith({ securityContext: { appArmorProfile: { type: 'Localhost' } } })
    stepsOf(mainStrategy).prepareForCreate(pod, at(version))
    return told(stepsOf(mainStrategy).validate(pod, at(version)))
  }
  const missing = ['spec.securityContext.appArmorProfile.localhostProfile Required']
  assert.equal([errorsAt('1.30'), errorsAt('1.36')], [missing, missing])
})

today('an AppArmor profile is the same in annotation and field', () => {
  const pod = podWith({ securityContext: { appArmorProfile: { type: 'Unconfined' } } })
  const metadata = {
    name: 'p',
    annotations: { [`${podAnnotations(at('1.36').vendor).appArmorContainer}c`]: 'localhost/' },
  }
  const wrong = told(stepsOf(mainStrategy).validate({ ...pod, metadata }, at('1.36')))
  assert.ok(wrong.includes('spec.containers[0].securityContext.appArmorProfile.type Forbidden'), `${wrong}`)
})

today.run()

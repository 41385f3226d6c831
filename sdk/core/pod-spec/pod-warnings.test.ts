import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { kubernetesProfile, orchProfile, profileAtVersion, Vendor } from '../../plugin/vendor.js'
import type { PodSpec } from '../pod-spec.js'
import { podWarnings } from './pod-warnings.js'

const vendor = new Vendor({ ...orchProfile, name: 'acme', domain: 'acme.test', groupDomain: 'acme.test' })
const warnings = suite('warnings about Pods')

const containers = [{ name: 'c', image: 'i' }]
const about = (spec: Partial<PodSpec>, annotations: Record<string, string> = {}) =>
  podWarnings({ metadata: { annotations }, spec: { containers, ...spec } as PodSpec }, vendor).map(
    text => text.split(': ')[0],
  )

const cases: Record<string, { spec?: object; annotations?: Record<string, string>; told: string[] }> = {
  'no warnings about a valid Pod': {
    spec: { volumes: [{ name: 'v', emptyDir: {} }], imagePullSecrets: [{ name: 'a' }, { name: 'b' }] },
    told: [],
  },
  'deprecated node labels': {
    spec: { nodeSelector: { 'beta.acme.test/os': 'linux' } },
    told: ['spec.nodeSelector[beta.acme.test/os]'],
  },
  'annotations without effect': {
    annotations: {
      'scheduler.alpha.acme.test/critical-pod': '',
      'security.alpha.acme.test/sysctls': 'a=b',
      'security.alpha.acme.test/unsafe-sysctls': 'a=b',
    },
    told: [
      'metadata.annotations[scheduler.alpha.acme.test/critical-pod]',
      'metadata.annotations[security.alpha.acme.test/sysctls]',
      'metadata.annotations[security.alpha.acme.test/unsafe-sysctls]',
    ],
  },
  'profiles that are only set by an annotation': {
    spec: { initContainers: [{ name: 'i', image: 'i' }] },
    annotations: {
      'seccomp.security.alpha.acme.test/pod': 'x',
      'container.seccomp.security.alpha.acme.test/i': 'x',
    },
    told: [
      'metadata.annotations[seccomp.security.alpha.acme.test/pod]',
      'metadata.annotations[container.seccomp.security.alpha.acme.test/i]',
    ],
  },
  'no warning if the field is set as well': {
    spec: { securityContext: { seccompProfile: { type: 'RuntimeDefault' } } },
    annotations: { 'seccomp.security.alpha.acme.test/pod': 'runtime/default' },
    told: [],
  },
  'removed volume sources': {
    spec: { volumes: [{ name: 'v', photonPersistentDisk: { pdID: 'p' } }] },
    told: ['spec.volumes[0].photonPersistentDisk'],
  },
  'all warnings in the order of Kubernetes': {
    spec: {
      initContainers: [{ name: 'i', image: 'i' }],
      terminationGracePeriodSeconds: -1,
      volumes: [{ name: 'v', storageos: { volumeName: 'n' } }],
      imagePullSecrets: [{ name: '' }, { name: '' }],
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'beta.acme.test/os', whenUnsatisfiable: 'DoNotSchedule' }],
      containers: [
        {
          name: 'c',
          image: 'i',
          resources: { limits: { memory: '1m', 'ephemeral-storage': '1m' }, requests: { memory: '1m' } },
        },
      ],
    },
    annotations: {
      'container.seccomp.security.alpha.acme.test/i': 'x',
      'seccomp.security.alpha.acme.test/pod': 'x',
      'scheduler.alpha.acme.test/critical-pod': '',
    },
    told: [
      'spec.topologySpreadConstraints[0].topologyKey',
      'metadata.annotations[scheduler.alpha.acme.test/critical-pod]',
      'spec.volumes[0].storageOS',
      'spec.imagePullSecrets[1].name',
      'spec.imagePullSecrets[0].name',
      'spec.imagePullSecrets[1].name',
      'metadata.annotations[seccomp.security.alpha.acme.test/pod]',
      'metadata.annotations[container.seccomp.security.alpha.acme.test/i]',
      'spec.containers[0].resources.limits[memory]',
      'spec.containers[0].resources.requests[memory]',
      'spec.containers[0].resources.limits[ephemeral-storage]',
      'spec.terminationGracePeriodSeconds',
    ],
  },
  'fractional bytes, also in overhead and ephemeral containers': {
    spec: {
      overhead: { memory: '100m' },
      ephemeralContainers: [{ name: 'e', image: 'i', resources: { limits: { 'ephemeral-storage': '1500m' } } }],
    },
    told: ['spec.overhead[memory]', 'spec.ephemeralContainers[0].resources.limits[ephemeral-storage]'],
  },
  'duplicate variables': {
    spec: { containers: [{ name: 'c', image: 'i', env: [{ name: 'A' }, { name: 'B' }, { name: 'A' }] }] },
    told: ['spec.containers[0].env[2].name'],
  },
  'lists with duplicate or empty entries': {
    spec: { hostAliases: [{ ip: '1.1.1.1' }, { ip: '1.1.1.1' }], imagePullSecrets: [{ name: '' }] },
    told: ['spec.hostAliases[1].ip', 'spec.imagePullSecrets[0].name'],
  },
}
for (const [title, { spec = {}, annotations, told }] of Object.entries(cases))
  warnings(title, () => assert.equal(about(spec, annotations), told))

warnings('name the field of a template', () => {
  const spec = { containers, nodeSelector: { 'beta.acme.test/arch': 'x' } } as PodSpec
  const [text = ''] = podWarnings({ spec }, vendor, 'template.')
  assert.match(text, /^template\.spec\.nodeSelector\[beta\.acme\.test\/arch\]: deprecated/)
})

warnings('name the volume of overlapping paths, in a template, too', () => {
  const items = [
    { key: 'a', path: 'x' },
    { key: 'b', path: 'x/y' },
  ]
  const spec = {
    containers,
    volumes: [{ name: 'v', configMap: { name: 'c', items }, gitRepo: { repository: 'r' } }],
    imagePullSecrets: [{ name: '' }],
  } as PodSpec
  const newest = new Vendor(profileAtVersion(kubernetesProfile, '1.32')!)
  assert.equal(
    podWarnings({ spec }, newest, 'template.').map(text => text.split(': ')[0]),
    ['template.spec.volumes[0].gitRepo', 'volume "v" (ConfigMap "c")', 'template.spec.imagePullSecrets[0].name'],
  )
})

warnings('name fractions of bytes in claims of ephemeral volumes from 1.26 on', () => {
  const claim = { resources: { requests: { storage: '1500m' }, limits: { storage: '2' } } }
  const spec = { containers, volumes: [{ name: 'v', ephemeral: { volumeClaimTemplate: { spec: claim } } }] } as PodSpec
  const warningsAt = (version: string) =>
    podWarnings({ spec }, new Vendor(profileAtVersion(kubernetesProfile, version)!)).map(text => text.split(': ')[0])
  assert.equal(warningsAt('1.25'), [])
  assert.equal(warningsAt('1.26'), ['spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources.requests[storage]'])
})

warnings.run()

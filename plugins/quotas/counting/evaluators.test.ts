import { type ApiObject, orchProfile, Vendor, type VersionName } from 'orch/sdk'
import type { ResourceList } from 'orch/sdk/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { formatAmounts } from '../amounts/amounts.js'
import { quotaNames } from '../names.js'
import { namesAt } from '../testing/names-at.js'
import { claimCounter } from './count-claims.js'
import { Evaluators } from './evaluators.js'

const vendor = new Vendor({ ...orchProfile, domain: 'acme.test', groupDomain: 'acme.test' })
const evaluators = new Evaluators(quotaNames(vendor))
const now = Date.parse('2024-01-01T00:00:00Z')
const usage = (resource: string, object: object, group = ''): ResourceList =>
  formatAmounts(evaluators.of({ group, resource }).usageOf({ metadata: {}, ...object } as ApiObject, now))
const container = (requests: ResourceList, limits: ResourceList = {}) => ({
  name: 'c',
  resources: { requests, limits },
})

const counting = suite('what objects use')

counting('a Pod uses the sum of its containers or its largest init container, plus its overhead', () => {
  const spec = {
    containers: [container({ cpu: '1', memory: '1Gi' }, { cpu: '2' }), container({ cpu: '500m' })],
    initContainers: [container({ cpu: '1', memory: '3Gi' })],
    overhead: { cpu: '100m' },
  }
  assert.equal(usage('pods', { spec }), {
    'count/pods': '1',
    pods: '1',
    cpu: '1600m',
    'requests.cpu': '1600m',
    memory: '3Gi',
    'requests.memory': '3Gi',
    'limits.cpu': '2100m',
  })
})
counting('a Pod uses huge pages and resources of others', () => {
  const requests = { 'hugepages-2Mi': '4Mi', 'other.test/gpu': '2', 'acme.test/own': '1' }
  assert.equal(usage('pods', { spec: { containers: [container(requests)] } }), {
    'count/pods': '1',
    pods: '1',
    'hugepages-2Mi': '4Mi',
    'requests.hugepages-2Mi': '4Mi',
    'requests.other.test/gpu': '2',
  })
})
const spec = { containers: [container({ cpu: '1' })] }
const ended: Record<string, [more: object, isCharged: boolean]> = {
  'that has succeeded': [{ status: { phase: 'Succeeded' } }, false],
  'that has failed': [{ status: { phase: 'Failed' } }, false],
  'that runs': [{ status: { phase: 'Running' } }, true],
  'that is being deleted': [
    { metadata: { deletionTimestamp: '2023-12-31T23:59:50Z', deletionGracePeriodSeconds: 30 } },
    true,
  ],
  'whose grace period has passed': [
    { metadata: { deletionTimestamp: '2023-12-31T23:59:00Z', deletionGracePeriodSeconds: 30 } },
    false,
  ],
}
for (const [title, [more, isCharged]] of Object.entries(ended))
  counting(`a Pod ${title} ${isCharged ? 'uses its resources' : 'counts only as an object'}`, () => {
    const used = usage('pods', { spec, ...more })
    assert.equal(
      [used['count/pods'], used['pods'], used['cpu']],
      isCharged ? ['1', '1', '1'] : ['1', undefined, undefined],
    )
  })

const ports = [{ port: 80, nodePort: 30_000 }, { port: 81 }]
const services: Record<string, [spec: object, nodePorts: string, loadBalancers: string]> = {
  'inside the cluster uses no node ports': [{ type: 'ClusterIP', ports }, '0', '0'],
  'of type NodePort uses a node port for every port': [{ type: 'NodePort', ports }, '2', '0'],
  'of type LoadBalancer uses a load balancer and a node port for every port': [
    { type: 'LoadBalancer', ports },
    '2',
    '1',
  ],
  'without allocation uses only the node ports that it specifies': [
    { type: 'LoadBalancer', ports, allocateLoadBalancerNodePorts: false },
    '1',
    '1',
  ],
}
for (const [title, [given, nodePorts, loadBalancers]] of Object.entries(services))
  counting(`a Service ${title}`, () => {
    assert.equal(usage('services', { spec: given }), {
      'count/services': '1',
      services: '1',
      'services.nodeports': nodePorts,
      'services.loadbalancers': loadBalancers,
    })
  })

counting('a claim uses storage, in total and of its class, in whole bytes', () => {
  const claim = { spec: { storageClassName: 'gold', resources: { requests: { storage: '1500m' } } } }
  assert.equal(usage('persistentvolumeclaims', claim), {
    'count/persistentvolumeclaims': '1',
    persistentvolumeclaims: '1',
    'gold.storageclass.storage.acme.test/persistentvolumeclaims': '1',
    'requests.storage': '2',
    'gold.storageclass.storage.acme.test/requests.storage': '2',
  })
})
counting('a claim uses what it was allocated if that is more, since 1.32', () => {
  const claim = (requested: string, storage: string) => ({
    metadata: {},
    spec: { resources: { requests: { storage: requested } } },
    status: { allocatedResources: { storage } },
  })
  const used = (version: VersionName, object: ApiObject) =>
    formatAmounts(claimCounter(namesAt(version)).usageOf(object, now))['requests.storage']
  assert.is(used('1.32', claim('1Gi', '3Gi')), '3Gi')
  assert.is(used('1.32', claim('3Gi', '1Gi')), '3Gi')
  assert.is(used('1.31', claim('1Gi', '3Gi')), '1Gi')
})
counting('a claim may name its class in the old annotation', () => {
  const metadata = { annotations: { 'volume.beta.acme.test/storage-class': 'old' } }
  const used = usage('persistentvolumeclaims', { metadata, spec: { storageClassName: 'gold' } })
  assert.is(used['old.storageclass.storage.acme.test/persistentvolumeclaims'], '1')
})
counting('an object of any other type counts as one, by its old name too', () => {
  assert.equal(usage('widgets', {}, 'acme.test'), { 'count/widgets.acme.test': '1' })
  assert.equal(usage('secrets', {}), { 'count/secrets': '1', secrets: '1' })
  assert.equal(usage('secrets', {}, 'acme.test'), { 'count/secrets.acme.test': '1' })
})

counting('finds the evaluators for the resources of a quota', () => {
  const asked = (...names: string[]) =>
    evaluators.counting(names).map(({ group, resource }) => (group === '' ? resource : `${resource}.${group}`))
  assert.equal(asked('requests.cpu', 'pods', 'count/pods', 'requests.hugepages-2Mi'), ['pods'])
  assert.equal(asked('requests.other.test/gpu'), ['pods'])
  assert.equal(asked('requests.acme.test/own', 'bogus'), [])
  assert.equal(asked('services.nodeports', 'gold.storageclass.storage.acme.test/requests.storage'), [
    'services',
    'persistentvolumeclaims',
  ])
  assert.equal(asked('count/widgets.acme.test', 'secrets', 'count/secrets'), ['widgets.acme.test', 'secrets'])
})

counting.run()

const scopes = suite('scopes of a quota')

const pods = evaluators.of({ group: '', resource: 'pods' })
const term = (more: object) => ({ requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'x', ...more }] })
const preferred = (more: object) => ({
  preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: { topologyKey: 'x', ...more } }],
})
const priority = (operator: string, ...values: string[]) => ({ scopeName: 'PriorityClass', operator, values })
const plain = { containers: [container({})] }
const inScope: Record<string, [scope: string | ReturnType<typeof priority>, spec: object, isIn: boolean]> = {
  'Terminating contains Pods with a deadline': ['Terminating', { ...plain, activeDeadlineSeconds: 0 }, true],
  'Terminating contains no others': ['Terminating', plain, false],
  'NotTerminating contains Pods without a deadline': ['NotTerminating', plain, true],
  'BestEffort contains Pods without requests': ['BestEffort', { containers: [container({ cpu: '0' })] }, true],
  'BestEffort treats a limit as a request': ['BestEffort', { containers: [container({}, { memory: '1' })] }, false],
  'NotBestEffort contains Pods with requests': ['NotBestEffort', { containers: [container({ cpu: '1m' })] }, true],
  'BestEffort ignores other resources': ['BestEffort', { containers: [container({ 'a.test/b': '1' })] }, true],
  'PriorityClass Exists contains Pods of any class': [priority('Exists'), { ...plain, priorityClassName: 'x' }, true],
  'PriorityClass Exists contains no others': [priority('Exists'), plain, false],
  'PriorityClass DoesNotExist contains Pods of no class': [priority('DoesNotExist'), plain, true],
  'PriorityClass In contains Pods of these classes': [priority('In', 'x'), { ...plain, priorityClassName: 'x' }, true],
  'PriorityClass NotIn contains Pods of other classes and of none': [priority('NotIn', 'x'), plain, true],
  'CrossNamespacePodAffinity contains Pods with affinity to named namespaces': [
    'CrossNamespacePodAffinity',
    { ...plain, affinity: { podAntiAffinity: term({ namespaces: ['a'] }) } },
    true,
  ],
  'CrossNamespacePodAffinity contains Pods with affinity to selected namespaces': [
    'CrossNamespacePodAffinity',
    { ...plain, affinity: { podAffinity: preferred({ namespaceSelector: {} }) } },
    true,
  ],
  'CrossNamespacePodAffinity contains no Pods with affinity within their namespace': [
    'CrossNamespacePodAffinity',
    { ...plain, affinity: { podAffinity: term({}), podAntiAffinity: preferred({ namespaces: [] }) } },
    false,
  ],
  'an unknown scope contains nothing': ['Bogus', plain, false],
}
scopes('BestEffort follows the recorded class, or else the resources of the Pod as a whole', () => {
  const isIn = (object: object) =>
    pods.isInScope?.({ metadata: {}, ...object }, { scopeName: 'BestEffort', operator: 'Exists' })
  assert.is(isIn({ spec: plain, status: { qosClass: 'Burstable' } }), false)
  assert.is(isIn({ spec: { ...plain, resources: { requests: { cpu: '1' } } } }), false)
  assert.is(isIn({ spec: { ...plain, resources: { requests: { 'hugepages-2Mi': '2Mi' } } } }), true)
})
for (const [title, [scope, given, isIn]] of Object.entries(inScope))
  scopes(title, () => {
    const requirement = typeof scope === 'string' ? { scopeName: scope, operator: 'Exists' } : scope
    assert.is(pods.isInScope?.({ metadata: {}, spec: given }, requirement), isIn)
  })

scopes.run()

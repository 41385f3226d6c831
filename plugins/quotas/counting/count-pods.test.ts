import type { ApiObject, VersionName } from 'orch/sdk'
import type { ResourceList } from 'orch/sdk/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { formatAmounts } from '../amounts/amounts.js'
import { namesAt } from '../testing/names-at.js'
import { podCounter } from './count-pods.js'

const counter = podCounter(namesAt('1.36'))
const usageOf = (object: object, of = counter): ResourceList =>
  formatAmounts(of.usageOf({ metadata: { name: 'p' }, ...object } as ApiObject, 0))
const amounts = (requests?: ResourceList, limits?: ResourceList) => ({ requests, limits })
const sized = (cpu: string) => amounts({ cpu }, { cpu })

const pods = suite('the usage of Pods')

pods('includes the overhead in the limits that a Pod has, and in all requests', () => {
  const containers = [{ name: 'c', resources: amounts({ cpu: '1', memory: '0' }, { cpu: '1', memory: '0' }) }]
  const used = usageOf({ spec: { containers, overhead: { cpu: '100m', memory: '1Gi', 'ephemeral-storage': '1Gi' } } })
  assert.equal([used['limits.cpu'], used['limits.memory']], ['1100m', '0'])
  assert.is(used['limits.ephemeral-storage'], undefined)
  assert.equal([used['requests.memory'], used['requests.ephemeral-storage']], ['1Gi', '1Gi'])
})

const resized: Record<string, [status: object, cpu: string, limit: string]> = {
  'what is requested, before the node has seen it': [{}, '2', '2'],
  'what a container still has': [{ containerStatuses: [{ name: 'c', resources: sized('3') }] }, '3', '3'],
  'what a container will have': [{ containerStatuses: [{ name: 'c', resources: sized('1') }] }, '2', '2'],
  'what its node has allocated': [
    { containerStatuses: [{ name: 'c', resources: sized('1'), allocatedResources: { cpu: '4' } }] },
    '4',
    '2',
  ],
  'only what a container has when the resize is infeasible': [
    {
      containerStatuses: [{ name: 'c', resources: sized('1'), allocatedResources: { cpu: '1' } }],
      conditions: [{ type: 'PodResizePending', reason: 'Infeasible' }],
    },
    '1',
    '1',
  ],
}
for (const [title, [status, cpu, limit]] of Object.entries(resized))
  pods(`is ${title}`, () => {
    const used = usageOf({ spec: { containers: [{ name: 'c', resources: sized('2') }] }, status })
    assert.equal([used['requests.cpu'], used['limits.cpu']], [cpu, limit])
  })

pods('follows the status of sidecars, but not of other init containers', () => {
  const spec = {
    containers: [{ name: 'c', resources: sized('1') }],
    initContainers: [
      { name: 's', restartPolicy: 'Always', resources: sized('1') },
      { name: 'i', resources: sized('1') },
    ],
  }
  const statusOf = (name: string) => ({ initContainerStatuses: [{ name, resources: sized('5') }] })
  assert.is(usageOf({ spec, status: statusOf('s') })['requests.cpu'], '6')
  assert.is(usageOf({ spec, status: statusOf('i') })['requests.cpu'], '2')
})

pods('includes devices by the name of their class since 1.35', () => {
  const name = 'deviceclass.resource.acme.test/gpu'
  const spec = { containers: [{ name: 'c', resources: amounts({ [name]: '2' }) }] }
  assert.is(usageOf({ spec })[`requests.${name}`], '2')
  assert.ok(counter.counts(`requests.${name}`))
  const before = podCounter(namesAt('1.34'))
  assert.is(usageOf({ spec }, before)[`requests.${name}`], undefined)
  assert.not.ok(before.counts(`requests.${name}`))
})

pods.run()

const charged = suite('writes of Pods that are charged')

const pod = (activeDeadlineSeconds?: number) =>
  ({ metadata: { name: 'p' }, spec: { activeDeadlineSeconds, containers: [] } }) as ApiObject
const isUpdateCharged = (from: ApiObject, to: ApiObject, version: VersionName = '1.36', subresource = '') =>
  podCounter(namesAt(version)).isCharged?.({ operation: 'update', subresource, object: to, oldObject: from })

charged('are updates that set a deadline, since 1.33', () => {
  assert.ok(isUpdateCharged(pod(), pod(5)))
  assert.not.ok(isUpdateCharged(pod(5), pod(4)))
  assert.not.ok(isUpdateCharged(pod(), pod()))
  assert.not.ok(isUpdateCharged(pod(), pod(5), '1.32'))
})
charged('are resizes', () => {
  assert.ok(isUpdateCharged(pod(), pod(), '1.33', 'resize'))
})

charged.run()

const specified = suite('resources that containers must specify')

const unnamed = (resources?: object) =>
  counter.unnamed?.({ metadata: {}, spec: { resources, containers: [{ name: 'c' }] } }, ['limits.memory', 'pods'])

specified('are those of CPU and memory', () => {
  assert.equal(unnamed(), ['limits.memory'])
})
specified('are none if the Pod as a whole has resources', () => {
  assert.equal(unnamed({ requests: { cpu: '1' } }), [])
  assert.equal(unnamed({ limits: { 'hugepages-2Mi': '2Mi' } }), [])
  assert.equal(unnamed({ requests: { 'ephemeral-storage': '1' } }), ['limits.memory'])
})

specified.run()

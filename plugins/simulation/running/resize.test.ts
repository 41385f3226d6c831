import type { Pod, PodStatus } from 'orch/sdk/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { withResources } from './resize.js'

const resizing = suite('resizing simulated Pods')
const aPod = (cpu: string, status?: PodStatus): Pod => ({
  spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu } } }] } as Pod['spec'],
  ...(status ? { status } : {}),
})
const running: PodStatus = {
  conditions: [{ type: 'Ready', status: 'True' }],
  containerStatuses: [{ name: 'c', state: { running: {} } }],
} as never
const allocatable = { cpu: '4' }
const cpuOf = ({ containerStatuses }: PodStatus) => [
  containerStatuses?.[0]?.resources?.requests?.['cpu'],
  containerStatuses?.[0]?.allocatedResources?.['cpu'],
]
const pendingOf = ({ conditions }: PodStatus) => conditions?.find(({ type }) => type === 'PodResizePending')

resizing('a running container reports its resources, and a resize for which there is room takes effect at once', () => {
  const first = withResources(aPod('1'), running, { allocatable, others: () => [] }, 0)
  assert.equal(cpuOf(first), ['1', '1'])
  const resized = withResources(aPod('3', first), running, { allocatable, others: () => [aPod('1')] }, 0)
  assert.equal([cpuOf(resized), pendingOf(resized)], [['3', '3'], undefined])
})

resizing('without room a container keeps its resources, and a condition says whether the resize is retried', () => {
  const first = withResources(aPod('1'), running, { allocatable, others: () => [] }, 0)
  const deferred = withResources(aPod('3', first), running, { allocatable, others: () => [aPod('2')] }, 0)
  assert.equal([cpuOf(deferred), pendingOf(deferred)?.reason], [['1', '1'], 'Deferred'])
  const later = withResources(aPod('3', deferred), running, { allocatable, others: () => [] }, 0)
  assert.equal([cpuOf(later), pendingOf(later)], [['3', '3'], undefined])
  const never = withResources(aPod('8', first), running, { allocatable, others: () => [] }, 0)
  assert.equal([cpuOf(never), pendingOf(never)?.reason], [['1', '1'], 'Infeasible'])
})

resizing('containers that do not run report no resources', () => {
  const waiting = { containerStatuses: [{ name: 'c', state: { waiting: {} } }] } as unknown as PodStatus
  assert.equal(cpuOf(withResources(aPod('1'), waiting, { allocatable, others: () => [] }, 0)), [undefined, undefined])
})

resizing.run()

import { timestampOf } from 'orch/sdk'
import {
  type ContainerStatus,
  isSameResources,
  type Pod,
  type PodCondition,
  type PodStatus,
  podRequests,
} from 'orch/sdk/core'
import { addQuantities, compareQuantities, parseQuantity } from 'orch/sdk/validation'
import { byName } from './container-facts.js'

/** The node that a Pod is on. */
export interface Room {
  readonly allocatable: Readonly<Record<string, string>>
  /** The other Pods there that have not ended. Called only if a Pod was resized. */
  others(): readonly Pod[]
}

export const resizePending = 'PodResizePending'

const containersOf = ({ spec }: Pod) => [...(spec.initContainers ?? []), ...spec.containers]
const statusesOf = (status: PodStatus | undefined) => [
  ...(status?.initContainerStatuses ?? []),
  ...(status?.containerStatuses ?? []),
]

/** Whether the resources of a running container differ from those in the spec. */
function isResized(pod: Pod): boolean {
  const containers = byName(containersOf(pod))
  return statusesOf(pod.status).some(({ name, resources }) => {
    const container = containers.get(name)
    return container && resources && !isSameResources(resources, container.resources)
  })
}

const zero = parseQuantity('0')
const amount = (requests: Readonly<Record<string, string>>, name: string) => parseQuantity(requests[name] ?? '0')

/** Why the node cannot fulfil the requests of the Pod: not now (`Deferred`), or never (`Infeasible`). */
function refusal(pod: Pod, { allocatable, others }: Room): Pick<PodCondition, 'reason' | 'message'> | undefined {
  const wanted = podRequests(pod.spec)
  const total = (name: string) =>
    others().reduce((sum, { spec }) => addQuantities(sum, amount(podRequests(spec), name)), zero)
  const lacks = (name: string, taken = zero) =>
    name in allocatable && compareQuantities(addQuantities(amount(wanted, name), taken), amount(allocatable, name)) > 0
  const never = Object.keys(wanted).find(name => lacks(name))
  if (never !== undefined) {
    const numbers = `requested: ${wanted[never]}, capacity: ${allocatable[never]}`
    return { reason: 'Infeasible', message: `Node didn't have enough capacity: ${never}, ${numbers}` }
  }
  const full = Object.keys(wanted).find(name => lacks(name, total(name)))
  return full === undefined
    ? undefined
    : { reason: 'Deferred', message: `Node didn't have enough resource: ${full}, requested: ${wanted[full]}` }
}

/**
 * The status with the resources of running containers. A resize takes effect at once if the node has room for it; otherwise containers
 * keep their resources, and a condition says why.
 */
export function withResources(pod: Pod, status: PodStatus, room: Room, now: number): PodStatus {
  const refused = isResized(pod) ? refusal(pod, room) : undefined
  const containers = byName(containersOf(pod))
  const known = byName(statusesOf(pod.status))
  const runsWith = (one: ContainerStatus): ContainerStatus => {
    const container = containers.get(one.name)
    if (!container || !one.state?.running) return one
    const before = known.get(one.name)
    if (refused && before?.resources) {
      const { resources, allocatedResources } = before
      return { ...one, resources, ...(allocatedResources ? { allocatedResources } : {}) }
    }
    const { resources = {} } = container
    return { ...one, resources, ...(resources.requests ? { allocatedResources: resources.requests } : {}) }
  }
  const condition = pod.status?.conditions?.find(({ type }) => type === resizePending)
  const since = condition?.lastTransitionTime ?? timestampOf(now)
  const pending = { type: resizePending, status: 'True', lastTransitionTime: since, ...refused }
  return {
    ...status,
    ...(refused ? { conditions: [...(status.conditions ?? []), pending] } : {}),
    ...(status.initContainerStatuses ? { initContainerStatuses: status.initContainerStatuses.map(runsWith) } : {}),
    containerStatuses: (status.containerStatuses ?? []).map(runsWith),
  }
}

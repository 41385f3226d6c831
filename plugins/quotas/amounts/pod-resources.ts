import { type Container, type Pod, type PodSpec, podTotals } from 'orch/sdk/core'
import { type Amounts, formatAmounts, maxAmounts, parseAmounts } from './amounts.js'

type Which = 'requests' | 'limits'

/** All containers of a Pod that use resources while it starts or runs. */
export const containersOf = ({ containers, initContainers }: PodSpec): readonly Container[] => [
  ...(containers ?? []),
  ...(initContainers ?? []),
]

/** The requests or limits of a Pod: its Pod-level resources, or else the total of its containers. */
export const podResources = (spec: PodSpec, which: Which): Amounts => parseAmounts(podTotals(spec, which))

type ContainerStatus = NonNullable<NonNullable<Pod['status']>['containerStatuses']>[number]

/**
 * The spec, with what its containers have now where that is more: a container that is resized to less keeps what it has
 * until its node has taken it away.
 */
export function withHeldResources({ spec, status }: Pod): PodSpec {
  const all = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])]
  const resized = new Map(all.filter(({ resources }) => resources).map(one => [one.name, one]))
  if (resized.size === 0) return spec
  const pending = status?.conditions?.find(({ type }) => type === 'PodResizePending')
  const isInfeasible = pending?.reason === 'Infeasible'
  const adjust = (container: Container): Container => {
    const held = resized.get(container.name)
    return held ? { ...container, resources: effective(container, held, isInfeasible) } : container
  }
  return {
    ...spec,
    containers: (spec.containers ?? []).map(adjust),
    // Other init containers cannot be resized.
    initContainers: (spec.initContainers ?? []).map(one => (one.restartPolicy === 'Always' ? adjust(one) : one)),
  }
}

/** What a container has or will get. A resize that its node can never carry out does not count. */
function effective({ resources: wanted }: Container, held: ContainerStatus, isInfeasible: boolean) {
  const most = (which: Which, ...lists: Amounts[]) =>
    formatAmounts(maxAmounts(isInfeasible ? lists : [parseAmounts(wanted?.[which]), ...lists]))
  const { allocatedResources, resources } = held
  return {
    requests: most('requests', parseAmounts(resources?.requests), parseAmounts(allocatedResources)),
    limits: most('limits', parseAmounts(resources?.limits)),
  }
}

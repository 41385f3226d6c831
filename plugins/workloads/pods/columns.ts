import { ageColumn, ageOf, type Column, nameColumn, type RowCondition, type ServedLevel } from 'orch/sdk'
import type { Pod } from 'orch/sdk/core'
import { podSummary } from './summary.js'

const none = '<none>'
const text = (name: string, description: string, cell: Column<Pod>['cell'], priority = 0): Column<Pod> => ({
  name,
  type: 'string',
  description,
  priority,
  cell,
})

/** The columns of Pods at a level. */
export const columns = (level: ServedLevel): readonly Column<Pod>[] => [
  nameColumn as Column<Pod>,
  text('Ready', 'Number of ready containers, and of all.', pod => {
    const { ready, total } = podSummary(pod, level)
    return `${ready}/${total}`
  }),
  text('Status', 'Overall state of the Pod.', pod => podSummary(pod, level).reason),
  text('Restarts', 'How often containers were restarted, and when last.', (pod, now) => {
    const { restarts, lastRestart } = podSummary(pod, level)
    return restarts > 0 && lastRestart ? `${restarts} (${ageOf(lastRestart, now)} ago)` : String(restarts)
  }),
  ageColumn as Column<Pod>,
  text('IP', 'Address of the Pod.', ({ status }) => status?.podIPs?.[0]?.ip || status?.podIP || none, 1),
  text('Node', 'Node the Pod runs on.', ({ spec }) => spec.nodeName || none, 1),
  text(
    'Nominated Node',
    'Node on which preemption makes room for the Pod.',
    ({ status }) => status?.nominatedNodeName || none,
    1,
  ),
  text(
    'Readiness Gates',
    'How many of the readiness gates are met.',
    ({ spec, status }) => {
      const gates = spec.readinessGates ?? []
      if (gates.length === 0) return none
      // Of several conditions of one type, the first counts.
      const holds = new Map((status?.conditions ?? []).map(({ type, status: is }) => [type, is] as const).reverse())
      return `${gates.filter(({ conditionType }) => holds.get(conditionType) === 'True').length}/${gates.length}`
    },
    1,
  ),
]

/** Marks the rows of finished Pods, with the messages of the reference. */
export function rowConditions({ status }: Pod): readonly RowCondition[] {
  const completed = (reason: string, message: string) => [
    { type: 'Completed', status: 'True', reason, message } as const,
  ]
  if (status?.phase === 'Succeeded') return completed('Succeeded', 'The pod has completed successfully.')
  return status?.phase === 'Failed' ? completed('Failed', 'The pod failed.') : []
}

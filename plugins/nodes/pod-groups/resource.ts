import { ageColumn, type Column, defineResource, nameColumn, strategyForSpec, strategyForStatus } from 'orch/sdk'
import type { NodeNames } from '../names.js'
import { PodGroup } from './schema.js'
import { validateGroup, validateGroupStatus, validateGroupUpdate } from './validation.js'

const mainStrategy = {
  ...strategyForSpec<PodGroup>({
    newStatus: () => ({}),
    validate: validateGroup,
    validateUpdate: validateGroupUpdate,
    metadataChecks: { change: 1, object: 0 },
  }),
  // Apply may own a status that it cannot write.
  resetFields: [],
}
const statusStrategy = strategyForStatus<PodGroup>({
  validateUpdate: validateGroupStatus,
  resetFields: ['metadata'],
})

function statusText({ status }: PodGroup): string {
  const condition = (type: string) => status?.conditions?.find(each => each.type === type)
  const disrupted = condition('DisruptionTarget')
  if (disrupted) return disrupted.reason
  const scheduled = condition('PodGroupScheduled')
  if (!scheduled) return 'Pending'
  return scheduled.status === 'True' ? 'Scheduled' : 'Unschedulable'
}

const text = (name: string, description: string, cell: (group: PodGroup) => string): Column<PodGroup> => ({
  name,
  type: 'string',
  description,
  cell,
})
const columns: readonly Column<PodGroup>[] = [
  nameColumn as Column<PodGroup>,
  text('Policy', 'How its Pods are placed.', ({ spec }) => (spec.schedulingPolicy.gang ? 'Gang' : 'Basic')),
  text('Workload', 'The Workload that it was created from.', ({ spec }) =>
    spec.podGroupTemplateRef ? (spec.podGroupTemplateRef.workload?.workloadName ?? '') : '<none>',
  ),
  text('Status', 'Whether it was scheduled.', statusText),
  ageColumn as Column<PodGroup>,
]

/** Alpha: off unless --runtime-config turns it on. */
export const podGroups = ({ schedulingGroup }: NodeNames) =>
  defineResource({
    group: schedulingGroup,
    kind: 'PodGroup',
    resource: 'podgroups',
    namespaced: true,
    versions: [{ name: 'v1alpha2', since: '1.36', schema: PodGroup }],
    since: '1.36',
    generation: false,
    strategy: mainStrategy,
    subresources: { status: { kind: 'update', strategy: statusStrategy } },
    columns,
  })

import { ageColumn, type Cell, type Column, defineResource, nameColumn } from 'orch/sdk'
import { deprecatedV1beta1 } from '../deprecated-version.js'
import type { FlowControlNames } from '../names.js'
import { strategiesOf } from '../strategies.js'
import { fillPriorityLevel, PriorityLevel, priorityLevelIn } from './schema.js'
import { validatePriorityLevel } from './validation.js'

const { main, status } = strategiesOf<PriorityLevel>(validatePriorityLevel)

const none = '<none>'
const column = (name: string, description: string, cell: (level: PriorityLevel) => Cell): Column<PriorityLevel> => ({
  name,
  type: 'string',
  description,
  cell,
})
const queuingOf = ({ spec }: PriorityLevel) => spec?.limited?.limitResponse?.queuing
const columns: readonly Column<PriorityLevel>[] = [
  nameColumn as Column<PriorityLevel>,
  column('Type', 'Limited or Exempt.', ({ spec }) => spec?.type ?? ''),
  column(
    'AssuredConcurrencyShares',
    'Share of the places.',
    ({ spec }) => spec?.limited?.assuredConcurrencyShares ?? none,
  ),
  column('Queues', 'Number of queues.', level => queuingOf(level)?.queues ?? none),
  column('HandSize', 'Queues that a flow may use.', level => queuingOf(level)?.handSize ?? none),
  column('QueueLengthLimit', 'Requests that may wait in a queue.', level => queuingOf(level)?.queueLengthLimit ?? none),
  ageColumn as Column<PriorityLevel>,
]

export const priorityLevels = ({ group }: FlowControlNames) =>
  defineResource({
    group,
    kind: 'PriorityLevelConfiguration',
    resource: 'prioritylevelconfigurations',
    namespaced: false,
    versions: [
      { name: 'v1beta2', schema: PriorityLevel, storage: true, defaults: fillPriorityLevel },
      {
        name: 'v1beta1',
        schema: priorityLevelIn('v1beta1'),
        defaults: fillPriorityLevel,
        ...deprecatedV1beta1(group),
      },
    ],
    strategy: main,
    subresources: { status: { kind: 'update', strategy: status } },
    columns,
  })

import { ageColumn, type Cell, type Column, defineResource, nameColumn, type ServedLevel } from 'orch/sdk'
import { borrowing, exemptShares, nominalShares, zeroSharesSurviveOlderVersions } from '../differences.js'
import type { FlowControlNames } from '../names.js'
import { olderVersions } from '../older-versions.js'
import { strategiesOf } from '../strategies.js'
import { convertShares, fillPriorityLevel, PriorityLevel, priorityLevelIn } from './schema.js'
import { validatePriorityLevel } from './validation.js'
import { markZeroShares } from './zero-shares.js'

const none = '<none>'
const column = (name: string, description: string, cell: (level: PriorityLevel) => Cell): Column<PriorityLevel> => ({
  name,
  type: 'string',
  description,
  cell,
})
const queuingOf = ({ spec }: PriorityLevel) => spec?.limited?.limitResponse?.queuing
const columnsAt = (level: ServedLevel): readonly Column<PriorityLevel>[] => [
  nameColumn as Column<PriorityLevel>,
  column('Type', 'Limited or Exempt.', ({ spec }) => spec?.type ?? ''),
  column(
    level.has(nominalShares) ? 'NominalConcurrencyShares' : 'AssuredConcurrencyShares',
    'Share of the seats.',
    ({ spec }) => spec?.limited?.nominalConcurrencyShares ?? none,
  ),
  column('Queues', 'Number of queues.', level => queuingOf(level)?.queues ?? none),
  column('HandSize', 'Queues that a flow may use.', level => queuingOf(level)?.handSize ?? none),
  column('QueueLengthLimit', 'Requests that may wait in a queue.', level => queuingOf(level)?.queueLengthLimit ?? none),
  ageColumn as Column<PriorityLevel>,
]

export const priorityLevels = (names: FlowControlNames) => {
  const { group, level } = names
  const { main, status } = strategiesOf<PriorityLevel>(validatePriorityLevel(names))
  const zeroSharesAnnotation = level.has(zeroSharesSurviveOlderVersions) ? names.zeroSharesAnnotation : undefined
  const defaults = { borrows: level.has(borrowing), exemptShares: level.has(exemptShares), zeroSharesAnnotation }
  const conversionOf = (version: string) =>
    version !== 'v1beta3' ? convertShares : zeroSharesAnnotation ? markZeroShares(zeroSharesAnnotation) : {}
  return defineResource({
    group,
    kind: 'PriorityLevelConfiguration',
    resource: 'prioritylevelconfigurations',
    namespaced: false,
    versions: [
      { name: 'v1', since: '1.29', schema: PriorityLevel, storage: true, defaults: fillPriorityLevel(defaults, 'v1') },
      ...olderVersions(group).map(version => ({
        ...version,
        schema: priorityLevelIn(version.name),
        defaults: fillPriorityLevel(defaults, version.name),
        ...conversionOf(version.name),
      })),
    ],
    strategy: main,
    subresources: { status: { kind: 'update', strategy: status } },
    columns: columnsAt(level),
  })
}

import { ageColumn, type Cell, type Column, defineResource, nameColumn } from 'orch/sdk'
import type { FlowControlNames } from '../names.js'
import { olderVersions } from '../older-versions.js'
import { strategiesOf } from '../strategies.js'
import { FlowSchema, flowSchemaIn } from './schema.js'
import { validateFlowSchema } from './validation.js'

const { main, status } = strategiesOf<FlowSchema>(validateFlowSchema)
/** 0 means not set. */
const fill = ({ spec }: FlowSchema) => {
  if (spec) spec.matchingPrecedence ||= 1000
}

const column = (name: string, description: string, cell: (schema: FlowSchema) => Cell): Column<FlowSchema> => ({
  name,
  type: 'string',
  description,
  cell,
})
const columns: readonly Column<FlowSchema>[] = [
  nameColumn as Column<FlowSchema>,
  column('PriorityLevel', 'The priority level.', ({ spec }) => spec?.priorityLevelConfiguration.name ?? ''),
  column('MatchingPrecedence', 'Lower numbers take precedence.', ({ spec }) => spec?.matchingPrecedence ?? 0),
  column(
    'DistinguisherMethod',
    'How flows are distinguished.',
    ({ spec }) => spec?.distinguisherMethod?.type ?? '<none>',
  ),
  ageColumn as Column<FlowSchema>,
  column(
    'MissingPL',
    'Whether the priority level is missing.',
    ({ status }) => status?.conditions?.find(({ type }) => type === 'Dangling')?.status ?? '?',
  ),
]

export const flowSchemas = ({ group }: FlowControlNames) =>
  defineResource({
    group,
    kind: 'FlowSchema',
    resource: 'flowschemas',
    namespaced: false,
    versions: [
      { name: 'v1', since: '1.29', schema: FlowSchema, storage: true, defaults: fill },
      ...olderVersions(group).map(version => ({ ...version, schema: flowSchemaIn(version.name), defaults: fill })),
    ],
    strategy: main,
    subresources: { status: { kind: 'update', strategy: status } },
    columns,
  })

import { ageColumn, type Cell, type Column, defineResource, nameColumn } from 'orch/sdk'
import { deprecatedV1beta1 } from '../deprecated-version.js'
import type { FlowControlNames } from '../names.js'
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
  column('MatchingPrecedence', 'Lower numbers are asked first.', ({ spec }) => spec?.matchingPrecedence ?? 0),
  column('DistinguisherMethod', 'What makes a flow.', ({ spec }) => spec?.distinguisherMethod?.type ?? '<none>'),
  ageColumn as Column<FlowSchema>,
  column(
    'MissingPL',
    'Is the priority level missing?',
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
      { name: 'v1beta2', schema: FlowSchema, storage: true, defaults: fill },
      { name: 'v1beta1', schema: flowSchemaIn('v1beta1'), defaults: fill, ...deprecatedV1beta1(group) },
    ],
    strategy: main,
    subresources: { status: { kind: 'update', strategy: status } },
    columns,
  })

import { ageColumn, type Column, defineResource, nameColumn, type Strategy } from 'orch/sdk'
import type { NodeNames } from '../names.js'
import { PriorityClass } from './schema.js'
import { validatePriorityClass, validatePriorityClassUpdate } from './validation.js'

const mainStrategy = {
  validate: validatePriorityClass,
  validateUpdate: (sent, stored, { vendor }) => validatePriorityClassUpdate(sent, stored, vendor),
  metadataChecks: { change: 1, object: 0 },
} satisfies Strategy<PriorityClass>

const columns: readonly Column<PriorityClass>[] = [
  nameColumn as Column<PriorityClass>,
  { name: 'Value', type: 'integer', description: 'The priority of its Pods.', cell: ({ value }) => value },
  {
    name: 'Global-Default',
    type: 'boolean',
    description: 'Whether it is the class of Pods that name none.',
    cell: ({ globalDefault = false }) => globalDefault,
  },
  ageColumn as Column<PriorityClass>,
  {
    name: 'PreemptionPolicy',
    since: '1.32',
    type: 'string',
    description: 'Whether its Pods may preempt others of lower priority.',
    cell: ({ preemptionPolicy = '' }) => preemptionPolicy,
  },
]

export const priorityClasses = ({ schedulingGroup }: NodeNames) =>
  defineResource({
    group: schedulingGroup,
    kind: 'PriorityClass',
    resource: 'priorityclasses',
    singular: 'priorityclass',
    shortNames: ['pc'],
    namespaced: false,
    versions: [{ name: 'v1', schema: PriorityClass }],
    // The value is immutable, so every class stays at generation 1.
    generation: ['value'],
    strategy: mainStrategy,
    columns,
  })

import { ageColumn, type Column, defineResource, nameColumn, type Strategy } from 'orch/sdk'
import type { StorageNames } from '../names.js'
import { CSINode } from './schema.js'
import { validateCsiNode, validateCsiNodeUpdate } from './validation.js'

const mainStrategy = {
  validate: validateCsiNode,
  validateUpdate: validateCsiNodeUpdate,
  unconditionalUpdate: false,
  metadataChecks: { change: 0, object: 2 },
} satisfies Strategy<CSINode>

const columns: readonly Column<CSINode>[] = [
  nameColumn as Column<CSINode>,
  {
    name: 'Drivers',
    type: 'integer',
    description: 'How many drivers there are on the node.',
    cell: ({ spec }) => spec.drivers?.length ?? 0,
  },
  ageColumn as Column<CSINode>,
]

export const csiNodes = ({ group }: StorageNames) =>
  defineResource({
    group,
    kind: 'CSINode',
    resource: 'csinodes',
    namespaced: false,
    versions: [{ name: 'v1', schema: CSINode }],
    generation: false,
    strategy: mainStrategy,
    deletion: { answer: 'object' },
    columns,
  })

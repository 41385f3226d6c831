import { ageColumn, type Column, defineResource, nameColumn, type ServedLevel, type Strategy } from 'orch/sdk'
import { driversAtTheirPath, nodesAreCheckedOnce } from '../differences.js'
import type { StorageNames } from '../names.js'
import { CSINode } from './schema.js'
import { type DriverRules, validateCsiNode, validateCsiNodeUpdate } from './validation.js'

const mainStrategy = (rules: DriverRules) =>
  ({
    validate: node => validateCsiNode(node, rules),
    validateUpdate: (sent, stored) => validateCsiNodeUpdate(sent, stored, rules),
    unconditionalUpdate: false,
    metadataChecks: { change: 0, object: rules.checkedOnce ? 1 : 2 },
  }) satisfies Strategy<CSINode>

const columns: readonly Column<CSINode>[] = [
  nameColumn as Column<CSINode>,
  {
    name: 'Drivers',
    type: 'integer',
    description: 'Number of drivers on the node.',
    cell: ({ spec }) => spec.drivers?.length ?? 0,
  },
  ageColumn as Column<CSINode>,
]

export const csiNodes = ({ group, missingNamesAreInvalid }: StorageNames, countChanges: boolean, level: ServedLevel) =>
  defineResource({
    group,
    kind: 'CSINode',
    resource: 'csinodes',
    namespaced: false,
    versions: [{ name: 'v1', schema: CSINode }],
    generation: false,
    strategy: mainStrategy({
      missingNamesAreInvalid,
      countChanges,
      checkedOnce: level.has(nodesAreCheckedOnce),
      changedAt: level.has(driversAtTheirPath) ? 'spec.drivers' : 'CSINodeDriver',
    }),
    deletion: { answer: 'object' },
    columns,
  })

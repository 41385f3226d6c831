import { ageColumn, type Column, defineResource, nameColumn, type Strategy, type Vendor } from 'orch/sdk'
import { driversAtTheirPath, nodesAreCheckedOnce } from '../differences.js'
import type { StorageNames } from '../names.js'
import { CSINode } from './schema.js'
import { type DriverRules, validateCsiNode, validateCsiNodeUpdate } from './validation.js'

const mainStrategy = (rulesOf: (vendor: Vendor) => DriverRules) =>
  ({
    validate: (node, { vendor }) => validateCsiNode(node, rulesOf(vendor)),
    validateUpdate: (sent, stored, { vendor }) => validateCsiNodeUpdate(sent, stored, rulesOf(vendor)),
    unconditionalUpdate: false,
    metadataChecks: { change: 0, object: 2 },
  }) satisfies Strategy<CSINode>

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

export const csiNodes = ({ group, missingNamesAreInvalid }: StorageNames, countChanges: boolean) =>
  defineResource({
    group,
    kind: 'CSINode',
    resource: 'csinodes',
    namespaced: false,
    versions: [{ name: 'v1', schema: CSINode }],
    generation: false,
    strategy: mainStrategy(({ level }) => ({
      missingNamesAreInvalid,
      countChanges,
      checkedOnce: level.has(nodesAreCheckedOnce),
      changedAt: level.has(driversAtTheirPath) ? 'spec.drivers' : 'CSINodeDriver',
    })),
    deletion: { answer: 'object' },
    columns,
  })

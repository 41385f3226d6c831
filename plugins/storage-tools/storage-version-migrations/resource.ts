import { type Column, defineResource, nameColumn, strategyForSpec, strategyForStatus, type Vendor } from 'orch/sdk'
import { zeroIsNoVersion } from '../differences.js'
import { convertFirst, FirstMigration, StorageVersionMigration } from './schema.js'
import { validateMigration, validateMigrationStatus, validateMigrationUpdate } from './validation.js'

const mainStrategy = strategyForSpec<StorageVersionMigration>({
  newStatus: () => ({}),
  unconditionalUpdate: false,
  validate: validateMigration,
  validateUpdate: validateMigrationUpdate,
})
const statusStrategy = strategyForStatus<StorageVersionMigration>({
  unconditionalUpdate: false,
  validateUpdate: (sent, stored, { vendor: { level } }) =>
    validateMigrationStatus(sent, stored, level.has(zeroIsNoVersion)),
  resetFields: ['metadata', 'spec'],
})

const columns: readonly Column<StorageVersionMigration>[] = [
  nameColumn as Column<StorageVersionMigration>,
  {
    name: 'Resource',
    type: 'string',
    description: 'What is migrated.',
    cell: ({ spec: { resource } }) =>
      resource.group === '' ? resource.resource : `${resource.resource}.${resource.group}`,
  },
  {
    name: 'Status',
    type: 'string',
    description: 'Progress of the migration.',
    cell: ({ status }) => status.conditions?.find(condition => condition.status === 'True')?.type ?? '',
  },
]

/** Off by default in every version: --runtime-config turns it on. */
export const storageVersionMigrations = (vendor: Vendor) =>
  defineResource({
    group: vendor.group('storagemigration'),
    kind: 'StorageVersionMigration',
    resource: 'storageversionmigrations',
    namespaced: false,
    versions: [
      { name: 'v1beta1', since: '1.35', schema: StorageVersionMigration, storage: true, served: false },
      { name: 'v1alpha1', since: '1.30', until: '1.34', schema: FirstMigration, ...convertFirst },
    ],
    since: '1.30',
    generation: false,
    strategy: mainStrategy,
    subresources: { status: { kind: 'update', strategy: statusStrategy } },
    columns,
  })

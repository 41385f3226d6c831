import { ageColumn, type Column, defineResource, nameColumn, type Strategy } from 'orch/sdk'
import type { StorageNames } from '../names.js'
import { warningsAboutClass } from '../warnings.js'
import { isDefaultClass } from './default-class.js'
import { StorageClass } from './schema.js'
import { validateStorageClass, validateStorageClassUpdate } from './validation.js'

export const columns = (names: StorageNames): readonly Column<StorageClass>[] => [
  {
    ...(nameColumn as Column<StorageClass>),
    cell: storageClass =>
      `${storageClass.metadata?.name ?? ''}${isDefaultClass(storageClass, names) ? ' (default)' : ''}`,
  },
  {
    name: 'Provisioner',
    type: 'string',
    description: 'What provisions volumes of this class.',
    cell: ({ provisioner }) => provisioner,
  },
  {
    name: 'ReclaimPolicy',
    type: 'string',
    description: 'What happens to a volume when its claim is deleted.',
    cell: ({ reclaimPolicy = 'Delete' }) => reclaimPolicy,
  },
  {
    name: 'VolumeBindingMode',
    type: 'string',
    description: 'When claims are bound.',
    cell: ({ volumeBindingMode = 'Immediate' }) => volumeBindingMode,
  },
  {
    name: 'AllowVolumeExpansion',
    type: 'string',
    description: 'Whether claims may be expanded.',
    cell: ({ allowVolumeExpansion = false }) => allowVolumeExpansion,
  },
  ageColumn as Column<StorageClass>,
]

const mainStrategy = {
  validate: validateStorageClass,
  validateUpdate: (sent, stored, { vendor }) => validateStorageClassUpdate(sent, stored, vendor),
  warnings: (storageClass, _, { vendor }) => warningsAboutClass(storageClass, vendor),
} satisfies Strategy<StorageClass>

export const storageClasses = (names: StorageNames) =>
  defineResource({
    group: names.group,
    kind: 'StorageClass',
    resource: 'storageclasses',
    shortNames: ['sc'],
    namespaced: false,
    versions: [{ name: 'v1', schema: StorageClass }],
    strategy: mainStrategy,
    deletion: { answer: 'object' },
    columns: columns(names),
  })

import { defineResource, type Strategy } from 'orch/sdk'
import type { StorageNames } from '../names.js'
import { columns } from './columns.js'
import { StorageClass } from './schema.js'
import { validateStorageClass, validateStorageClassUpdate } from './validation.js'

const mainStrategy = {
  validate: validateStorageClass,
  validateUpdate: validateStorageClassUpdate,
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

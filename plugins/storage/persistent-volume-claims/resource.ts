import { defineResource } from 'orch/sdk'
import type { StorageNames } from '../names.js'
import type { StorageOptions } from '../options.js'
import { columns } from './columns.js'
import { fillClaim } from './defaults.js'
import { PersistentVolumeClaim } from './schema.js'
import { statusStrategy } from './status-strategy.js'
import { mainStrategy } from './strategy.js'

export const persistentVolumeClaims = (names: StorageNames, options: StorageOptions) =>
  defineResource({
    group: '',
    kind: 'PersistentVolumeClaim',
    resource: 'persistentvolumeclaims',
    shortNames: ['pvc'],
    namespaced: true,
    versions: [{ name: 'v1', schema: PersistentVolumeClaim, defaults: fillClaim }],
    strategy: mainStrategy(names, options),
    deletion: { answer: 'object' },
    subresources: { status: { kind: 'update', strategy: statusStrategy } },
    columns: columns(names),
  })

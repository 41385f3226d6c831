import { defineResource } from 'orch/sdk'
import type { StorageNames } from '../names.js'
import { columns } from './columns.js'
import { fillVolume } from './defaults.js'
import { PersistentVolume } from './schema.js'
import { statusStrategy } from './status-strategy.js'
import { mainStrategy } from './strategy.js'

export const persistentVolumes = (names: StorageNames) =>
  defineResource({
    group: '',
    kind: 'PersistentVolume',
    resource: 'persistentvolumes',
    shortNames: ['pv'],
    namespaced: false,
    versions: [{ name: 'v1', schema: PersistentVolume, defaults: fillVolume }],
    strategy: mainStrategy(names),
    deletion: { answer: 'object' },
    subresources: { status: { kind: 'update', strategy: statusStrategy } },
    columns: columns(names),
  })

import { defineResource } from 'orch/sdk'
import type { StorageNames } from '../names.js'
import { columns } from './columns.js'
import { CSIDriver } from './schema.js'
import { mainStrategy } from './strategy.js'

export const csiDrivers = ({ group }: StorageNames) =>
  defineResource({
    group,
    kind: 'CSIDriver',
    resource: 'csidrivers',
    namespaced: false,
    versions: [{ name: 'v1', schema: CSIDriver }],
    generation: false,
    strategy: mainStrategy,
    deletion: { answer: 'object' },
    columns,
  })

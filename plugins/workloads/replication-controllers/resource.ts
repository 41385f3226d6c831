import { defineResource } from 'orch/sdk'
import { columns } from './columns.js'
import { fillReplicationController } from './defaults.js'
import { scale } from './scale.js'
import { ReplicationController } from './schema.js'
import { mainStrategy, statusStrategy } from './strategy.js'

export const replicationControllers = defineResource({
  group: '',
  kind: 'ReplicationController',
  resource: 'replicationcontrollers',
  shortNames: ['rc'],
  categories: ['all'],
  namespaced: true,
  versions: [{ name: 'v1', schema: ReplicationController, defaults: fillReplicationController }],
  strategy: mainStrategy,
  // Older than owner references: its clients expect the Pods to stay.
  deletion: { defaultPropagation: 'Orphan' },
  subresources: { status: { kind: 'update', strategy: statusStrategy }, scale },
  selectableFields: {
    'status.replicas': ({ status }: ReplicationController) => String(status?.replicas ?? 0),
  },
  columns,
})

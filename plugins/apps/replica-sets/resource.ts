import { ageColumn, type Column, defineResource, nameColumn } from 'orch/sdk'
import { defaultPodSpec, scaleSubresource, selectorText } from 'orch/sdk/core'
import { containerColumns, countColumn, selectorColumn } from '../template-columns.js'
import { ReplicaSet } from './schema.js'
import { mainStrategy, statusStrategy } from './strategy.js'

const columns = [
  nameColumn,
  countColumn('Desired', 'How many Pods are wanted.', ({ spec }) => spec?.replicas ?? 0),
  countColumn('Current', 'How many there are.', ({ status }) => status?.replicas ?? 0),
  countColumn('Ready', 'How many of them are ready.', ({ status }) => status?.readyReplicas ?? 0),
  ageColumn,
  ...containerColumns,
  selectorColumn,
] as readonly Column<never>[]

export const replicaSets = defineResource({
  group: 'apps',
  kind: 'ReplicaSet',
  resource: 'replicasets',
  shortNames: ['rs'],
  categories: ['all'],
  namespaced: true,
  versions: [
    {
      name: 'v1',
      schema: ReplicaSet,
      defaults({ spec }: ReplicaSet) {
        if (spec?.template?.spec) defaultPodSpec(spec.template.spec)
      },
    },
  ],
  strategy: mainStrategy,
  subresources: {
    status: { kind: 'update', strategy: statusStrategy },
    scale: scaleSubresource({ group: 'apps', resource: 'replicasets' }, ({ spec }: ReplicaSet) =>
      selectorText(spec?.selector),
    ),
  },
  columns,
})

import { ageColumn, type Column, defineResource, nameColumn } from 'orch/sdk'
import { scaleSubresource, selectorText } from 'orch/sdk/core'
import { containerColumns, textColumn } from '../template-columns.js'
import { fillStatefulSet } from './defaults.js'
import { StatefulSet } from './schema.js'
import { mainStrategy, statusStrategy } from './strategy.js'

const columns = [
  nameColumn,
  textColumn(
    'Ready',
    'How many Pods are ready, of those wanted.',
    ({ spec, status }: StatefulSet) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
  ),
  ageColumn,
  ...containerColumns,
] as readonly Column<never>[]

export const statefulSets = defineResource({
  group: 'apps',
  kind: 'StatefulSet',
  resource: 'statefulsets',
  shortNames: ['sts'],
  categories: ['all'],
  namespaced: true,
  versions: [{ name: 'v1', schema: StatefulSet, defaults: fillStatefulSet }],
  strategy: mainStrategy,
  subresources: {
    status: { kind: 'update', strategy: statusStrategy },
    scale: scaleSubresource({ group: 'apps', resource: 'statefulsets' }, ({ spec }: StatefulSet) =>
      selectorText(spec?.selector),
    ),
  },
  columns,
})

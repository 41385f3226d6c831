import { ageColumn, type Column, defineResource, nameColumn } from 'orch/sdk'
import { scaleSubresource, selectorText } from 'orch/sdk/core'
import { containerColumns, looseCountColumn, selectorColumn, textColumn } from '../template-columns.js'
import { fillDeployment } from './defaults.js'
import { Deployment } from './schema.js'
import { mainStrategy, statusStrategy } from './strategy.js'

const columns = [
  nameColumn,
  textColumn(
    'Ready',
    'How many Pods are ready, of those wanted.',
    ({ spec, status }: Deployment) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
  ),
  looseCountColumn('Up-to-date', 'How many are of the current template.', ({ status }) => status?.updatedReplicas ?? 0),
  looseCountColumn(
    'Available',
    'How many have been ready long enough.',
    ({ status }) => status?.availableReplicas ?? 0,
  ),
  ageColumn,
  ...containerColumns,
  selectorColumn,
] as readonly Column<never>[]

export const deployments = defineResource({
  group: 'apps',
  kind: 'Deployment',
  resource: 'deployments',
  shortNames: ['deploy'],
  categories: ['all'],
  namespaced: true,
  versions: [{ name: 'v1', schema: Deployment, defaults: fillDeployment }],
  // Counted by the strategy: annotations count, too.
  generation: false,
  strategy: mainStrategy,
  subresources: {
    status: { kind: 'update', strategy: statusStrategy },
    scale: scaleSubresource({ group: 'apps', resource: 'deployments' }, ({ spec }: Deployment) =>
      selectorText(spec?.selector),
    ),
  },
  columns,
})

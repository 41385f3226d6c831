import { defineResource } from 'orch/sdk'
import { columns } from './columns.js'
import { ConfigMap } from './schema.js'
import { mainStrategy } from './strategy.js'

export const configMaps = defineResource({
  group: '',
  kind: 'ConfigMap',
  resource: 'configmaps',
  shortNames: ['cm'],
  namespaced: true,
  versions: [{ name: 'v1', schema: ConfigMap }],
  strategy: mainStrategy,
  columns,
})

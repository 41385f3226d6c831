import { ageColumn, type Column, defineResource, nameColumn, type Strategy } from 'orch/sdk'
import { ConfigMap } from 'orch/sdk/core'
import { validateConfigMap, validateConfigMapUpdate } from './validation.js'

const mainStrategy = {
  validate: validateConfigMap,
  validateUpdate: validateConfigMapUpdate,
} satisfies Strategy<ConfigMap>

const columns: readonly Column<ConfigMap>[] = [
  nameColumn,
  {
    name: 'Data',
    type: 'string',
    description: 'Number of entries in data and binaryData.',
    cell: ({ data = {}, binaryData = {} }) => Object.keys(data).length + Object.keys(binaryData).length,
  },
  ageColumn,
]

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

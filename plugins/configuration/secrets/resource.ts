import { defineResource } from 'orch/sdk'
import type { ConfigurationNames } from '../names.js'
import { columns } from './columns.js'
import { mergeStringData } from './defaults.js'
import { Secret } from './schema.js'
import { mainStrategy } from './strategy.js'

export const secrets = (names: ConfigurationNames) =>
  defineResource({
    group: '',
    kind: 'Secret',
    resource: 'secrets',
    namespaced: true,
    versions: [{ name: 'v1', schema: Secret, defaults: mergeStringData }],
    strategy: mainStrategy(names),
    selectableFields: { type: ({ type = '' }: Secret) => type },
    columns,
    sensitive: true,
  })

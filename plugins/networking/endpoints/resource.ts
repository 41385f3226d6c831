import { defineResource, type Strategy } from 'orch/sdk'
import { Endpoints } from 'orch/sdk/core'
import { columns } from './columns.js'
import { validateEndpoints } from './validation.js'

const mainStrategy = {
  validate: validateEndpoints,
  validateUpdate: validateEndpoints,
  createOnUpdate: true,
} satisfies Strategy<Endpoints>

export const endpoints = defineResource({
  group: '',
  kind: 'Endpoints',
  resource: 'endpoints',
  shortNames: ['ep'],
  namespaced: true,
  versions: [{ name: 'v1', schema: Endpoints }],
  strategy: mainStrategy,
  columns,
})

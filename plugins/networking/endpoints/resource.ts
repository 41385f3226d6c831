import { defineResource, type Strategy } from 'orch/sdk'
import { Endpoints } from 'orch/sdk/core'
import type { NetworkingNames } from '../names.js'
import { columns } from './columns.js'
import { validateEndpoints } from './validation.js'

const mainStrategy = {
  validate: validateEndpoints,
  validateUpdate: validateEndpoints,
  createOnUpdate: true,
} satisfies Strategy<Endpoints>

export const endpoints = ({ discoveryGroup }: NetworkingNames) =>
  defineResource({
    group: '',
    kind: 'Endpoints',
    resource: 'endpoints',
    shortNames: ['ep'],
    namespaced: true,
    versions: [
      {
        name: 'v1',
        schema: Endpoints,
        deprecated: { since: '1.33', replacement: `${discoveryGroup}/v1 EndpointSlice` },
      },
    ],
    strategy: mainStrategy,
    columns,
  })

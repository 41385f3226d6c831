import { defineResource, type Strategy } from 'orch/sdk'
import { Endpoints } from 'orch/sdk/core'
import type { NetworkingNames } from '../names.js'
import { columns } from './columns.js'
import { validateEndpoints, validateEndpointsUpdate } from './validation.js'
import { endpointsWarnings } from './warnings.js'

const mainStrategy = (areStrict: boolean) =>
  ({
    validate: sent => validateEndpoints(sent, areStrict),
    validateUpdate: (sent, stored, { vendor: { level } }) =>
      validateEndpointsUpdate(sent, stored, { areStrict, level }),
    warnings: (sent, _stored, { vendor }) => endpointsWarnings(sent, vendor),
    createOnUpdate: true,
  }) satisfies Strategy<Endpoints>

/** `areStrict`: addresses must be canonical. */
export const endpoints = ({ discoveryGroup }: NetworkingNames, areStrict = false) =>
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
    strategy: mainStrategy(areStrict),
    columns,
  })

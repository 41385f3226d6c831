import { defineResource } from 'orch/sdk'
import type { DiscoveryNames } from '../names.js'
import { columns } from './columns.js'
import { convertV1beta1 } from './convert-v1beta1.js'
import { EndpointSlice } from './schema.js'
import { EndpointSlice as EndpointSliceV1beta1 } from './schema-v1beta1.js'
import { mainStrategy } from './strategy.js'

export const endpointSlices = (names: DiscoveryNames, keepsHints: boolean) =>
  defineResource({
    group: names.group,
    kind: 'EndpointSlice',
    resource: 'endpointslices',
    namespaced: true,
    versions: [
      { name: 'v1', schema: EndpointSlice, storage: true },
      {
        name: 'v1beta1',
        schema: EndpointSliceV1beta1,
        ...convertV1beta1(names),
        deprecated: {
          warning: `${names.group}/v1beta1 EndpointSlice is deprecated in v1.21+, unavailable in v1.25+; use ${names.group}/v1 EndpointSlice`,
          removedRelease: '1.25',
          replacement: `${names.group}/v1`,
        },
      },
    ],
    // The labels count too.
    generation: false,
    strategy: mainStrategy(names, keepsHints),
    columns,
  })

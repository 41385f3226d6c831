import { ageColumn, type Column, defineResource, nameColumn } from 'orch/sdk'
import type { DiscoveryNames } from '../names.js'
import { type Endpoint, EndpointSlice } from './schema.js'
import type * as beta from './schema-v1beta1.js'
import { EndpointSlice as EndpointSliceV1beta1 } from './schema-v1beta1.js'
import { mainStrategy } from './strategy.js'

/** The node is the host, unless there is another. */
const withHost = (endpoint: beta.Endpoint, hostnameKey: string): beta.Endpoint => {
  const { nodeName, topology } = endpoint
  if (nodeName === undefined || topology?.[hostnameKey]) return endpoint
  return { ...endpoint, topology: { ...topology, [hostnameKey]: nodeName } }
}

/**
 * v1beta1 has the location of an endpoint in a map of labels; v1 has fields for the zone and the node and keeps the other labels.
 * A host that is not the node is kept, too.
 */
export const convertV1beta1 = ({ zoneKey, hostnameKey }: DiscoveryNames) => ({
  toStorage: (slice: beta.EndpointSlice): EndpointSlice => ({
    ...slice,
    endpoints: slice.endpoints?.map(({ topology, ...endpoint }): Endpoint => {
      if (topology === undefined) return endpoint
      const { [zoneKey]: zone, ...rest } = topology
      if (rest[hostnameKey] === endpoint.nodeName) delete rest[hostnameKey]
      return {
        ...endpoint,
        ...(zone === undefined ? {} : { zone }),
        ...(Object.keys(rest).length === 0 ? {} : { deprecatedTopology: rest }),
      }
    }),
  }),
  fromStorage: (slice: EndpointSlice): beta.EndpointSlice => ({
    ...slice,
    endpoints: slice.endpoints?.map(({ deprecatedTopology, zone, ...endpoint }): beta.Endpoint => {
      const topology = { ...deprecatedTopology, ...(zone === undefined ? {} : { [zoneKey]: zone }) }
      const located = Object.keys(topology).length === 0 ? endpoint : { ...endpoint, topology }
      return withHost(located, hostnameKey)
    }),
  }),
})

const maxShown = 3
function firstOf(all: readonly (string | number)[]): string {
  const shown = all.slice(0, maxShown).join(',')
  return all.length > maxShown ? `${shown} + ${all.length - maxShown} more...` : shown || '<unset>'
}

const text = (name: string, description: string, cell: (slice: EndpointSlice) => string): Column<EndpointSlice> => ({
  name,
  type: 'string',
  description,
  cell,
})

export const columns: readonly Column<EndpointSlice>[] = [
  nameColumn as Column<EndpointSlice>,
  text('AddressType', 'Type of the addresses.', ({ addressType }) => addressType),
  text('Ports', 'Ports of every endpoint.', ({ ports }) =>
    firstOf((ports ?? []).map(({ name, port }) => port ?? name ?? '*')),
  ),
  text('Endpoints', 'Addresses of the endpoints.', ({ endpoints }) =>
    firstOf((endpoints ?? []).flatMap(({ addresses }) => addresses ?? [])),
  ),
  ageColumn as Column<EndpointSlice>,
]

export const endpointSlices = (names: DiscoveryNames, keepsHints: boolean, areStrict: boolean) =>
  defineResource({
    group: names.group,
    kind: 'EndpointSlice',
    resource: 'endpointslices',
    namespaced: true,
    versions: [
      { name: 'v1', schema: EndpointSlice, storage: true },
      {
        name: 'v1beta1',
        until: '1.24',
        schema: EndpointSliceV1beta1,
        defaults: (slice: beta.EndpointSlice) => {
          slice.endpoints = slice.endpoints?.map(endpoint => withHost(endpoint, names.hostnameKey))
        },
        ...convertV1beta1(names),
        deprecated: {
          since: '1.21',
          removedRelease: '1.25',
          replacement: `${names.group}/v1`,
        },
      },
    ],
    // Computed by the strategy, because labels count, too.
    generation: false,
    strategy: mainStrategy(names, keepsHints, areStrict),
    columns,
  })

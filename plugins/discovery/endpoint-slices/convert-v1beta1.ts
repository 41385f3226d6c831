import type { DiscoveryNames } from '../names.js'
import type { Endpoint, EndpointSlice } from './schema.js'
import type * as beta from './schema-v1beta1.js'

/** v1beta1 says where an endpoint is in a map of labels; v1 has a field for the zone and keeps the other labels. */
export const convertV1beta1 = ({ zoneKey }: DiscoveryNames) => ({
  toStorage: (slice: beta.EndpointSlice): EndpointSlice => ({
    ...slice,
    endpoints: slice.endpoints?.map(({ topology, ...endpoint }): Endpoint => {
      if (topology === undefined) return endpoint
      const { [zoneKey]: zone, ...rest } = topology
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
      const topology = {
        ...deprecatedTopology,
        ...(zone === undefined ? {} : { [zoneKey]: zone }),
      }
      return Object.keys(topology).length === 0 ? endpoint : { ...endpoint, topology }
    }),
  }),
})

import { Type } from 'orch/sdk'

export const DiscoveryOptions = Type.Object({
  maxEndpointsPerSlice: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 100,
    description: 'How many endpoints the loop for Services puts into one slice.',
  }),
  mirroringMaxEndpointsPerSubset: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 1000,
    description: 'How many addresses of a subset of Endpoints are shown in slices.',
  }),
})
export type DiscoveryOptions = typeof DiscoveryOptions.static

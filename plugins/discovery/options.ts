import { Type } from 'orch/sdk'

export const DiscoveryOptions = Type.Object({
  maxEndpointsPerSlice: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 100,
    description: 'Maximum number of endpoints in a slice of a Service.',
  }),
  mirroringMaxEndpointsPerSubset: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 1000,
    description: 'Maximum number of addresses of an Endpoints subset that are mirrored to slices.',
  }),
})
export type DiscoveryOptions = typeof DiscoveryOptions.static

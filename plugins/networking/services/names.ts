import type { Vendor } from 'orch/sdk'

export const serviceNames = (vendor: Vendor) => ({
  /** Said from where a load balancer may be reached, before there was a field for it. */
  sourceRangesAnnotation: vendor.qualify('load-balancer-source-ranges', 'service.beta'),
})
export type ServiceNames = ReturnType<typeof serviceNames>

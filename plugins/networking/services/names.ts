import type { Vendor } from 'orch/sdk'

/** Names and gates that the rules of Services depend on. */
export const serviceNames = (
  vendor: Vendor,
  gates: {
    readonly strictAddresses?: boolean
    readonly prefersNodes?: boolean
    readonly hasIpModes?: boolean
  } = {},
) => ({
  ...gates,
  level: vendor.level,
  /** The deprecated form of loadBalancerSourceRanges. */
  sourceRangesAnnotation: vendor.qualify('load-balancer-source-ranges', 'service.beta'),
  /** Requests topology hints of endpoints; the second is the former name. */
  topologyModeAnnotation: vendor.qualify('topology-mode', 'service'),
  formerHintsAnnotation: vendor.qualify('topology-aware-hints', 'service'),
})
export type ServiceNames = ReturnType<typeof serviceNames>

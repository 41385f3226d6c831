import type { Vendor } from 'orch/sdk'

/** What rules of Services depend on. `gates` are on unless said otherwise. */
export const serviceNames = (
  vendor: Vendor,
  gates: {
    readonly refusesOddAddresses?: boolean
    readonly prefersNodes?: boolean
    readonly hasIpModes?: boolean
  } = {},
) => ({
  ...gates,
  level: vendor.level,
  /** Said from where a load balancer may be reached, before there was a field for it. */
  sourceRangesAnnotation: vendor.qualify('load-balancer-source-ranges', 'service.beta'),
  /** Asks for hints of endpoints; the second is the former name. */
  topologyModeAnnotation: vendor.qualify('topology-mode', 'service'),
  formerHintsAnnotation: vendor.qualify('topology-aware-hints', 'service'),
})
export type ServiceNames = ReturnType<typeof serviceNames>

import { type FeatureGate, type Static, Type } from 'orch/sdk'
import { addressGates } from 'orch/sdk/validation'

export const NetworkingOptions = Type.Object({
  serviceClusterIpRange: Type.String({
    default: '10.0.0.0/24',
    description: 'Address range of Services; two ranges, one of each family, are separated by a comma.',
  }),
  serviceNodePortRange: Type.String({
    pattern: '^[0-9]+-[0-9]+$',
    default: '30000-32767',
    description: 'Range of node ports of Services.',
  }),
  advertiseAddress: Type.String({
    default: '',
    description: 'Address that this server advertises; detected if empty.',
  }),
})
export type NetworkingOptions = Static<typeof NetworkingOptions>

/** Gates without a history have that of the vendor. */
export const networkingGates = {
  MultiCIDRServiceAllocator: {
    stage: 'stable',
    description: 'Services get their addresses from the ranges of ServiceCIDRs, and every address is an IPAddress.',
  },
  ServiceTrafficDistribution: {
    stage: 'stable',
    description: 'Services may declare which endpoints are preferred.',
    history: [
      { since: '1.30', stage: 'alpha', isOn: false },
      { since: '1.31', stage: 'beta', isOn: true },
      { since: '1.33', stage: 'stable', isOn: true, isLocked: true },
    ],
  },
  ...addressGates,
  PreferSameTrafficDistribution: {
    stage: 'stable',
    description: 'Services may prefer endpoints of the same node.',
  },
  LoadBalancerIPMode: {
    stage: 'stable',
    description: 'Addresses of load balancers declare how their traffic is delivered.',
    history: [
      { since: '1.29', stage: 'alpha', isOn: false },
      { since: '1.30', stage: 'beta', isOn: true },
      { since: '1.32', stage: 'stable', isOn: true, isLocked: true },
    ],
  },
  ServiceCIDRStatusFieldWiping: {
    stage: 'stable',
    description: 'The status of a ServiceCIDR is written through its subresource only.',
  },
} as const satisfies Readonly<Record<string, FeatureGate>>

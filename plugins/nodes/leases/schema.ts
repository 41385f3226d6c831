import { embedded, Int32, Kind, kept, MicroTime, type Static, Struct, Text } from 'orch/sdk'

export const LeaseSpec = Struct('coordination.v1.LeaseSpec', {
  holderIdentity: kept(1, Text()),
  leaseDurationSeconds: kept(2, Int32()),
  acquireTime: kept(3, MicroTime()),
  renewTime: kept(4, MicroTime()),
  leaseTransitions: kept(5, Int32()),
})
export type LeaseSpec = Static<typeof LeaseSpec>

export const Lease = Kind('coordination.v1.Lease', {
  spec: embedded(2, LeaseSpec),
})
export type Lease = Static<typeof Lease>

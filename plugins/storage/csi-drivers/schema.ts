import { AtomicList, Flag, field, Int64, Kind, kept, needed, SetList, type Static, Struct, Text } from 'orch/sdk'

export const TokenRequest = Struct('storage.v1.TokenRequest', {
  audience: needed(1, Text()),
  expirationSeconds: kept(2, Int64()),
})
export type TokenRequest = Static<typeof TokenRequest>

export const CSIDriverSpec = Struct('storage.v1.CSIDriverSpec', {
  attachRequired: kept(1, Flag(), { default: true }),
  podInfoOnMount: kept(2, Flag(), { default: false }),
  volumeLifecycleModes: field(3, SetList(Text()), { default: ['Persistent'] }),
  storageCapacity: kept(4, Flag(), { default: false }),
  fsGroupPolicy: kept(5, Text(), { default: 'ReadWriteOnceWithFSType' }),
  tokenRequests: field(6, AtomicList(TokenRequest)),
  requiresRepublish: kept(7, Flag(), { default: false }),
})
export type CSIDriverSpec = Static<typeof CSIDriverSpec>

export const CSIDriver = Kind('storage.v1.CSIDriver', {
  spec: needed(2, CSIDriverSpec),
})
export type CSIDriver = Static<typeof CSIDriver>

import { embedded, field, Int64, Kind, kept, ListOf, needed, type Static, Struct, Text, Time } from 'orch/sdk'

export const BoundObjectReference = Struct('authentication.v1.BoundObjectReference', {
  kind: field(1, Text()),
  apiVersion: field(2, Text()),
  name: field(3, Text()),
  uid: field(4, Text()),
})
export type BoundObjectReference = Static<typeof BoundObjectReference>

export const TokenRequestSpec = Struct('authentication.v1.TokenRequestSpec', {
  audiences: needed(1, ListOf(Text())),
  expirationSeconds: kept(4, Int64(), { default: 3600 }),
  boundObjectRef: embedded(3, BoundObjectReference, { nullable: true }),
})
export type TokenRequestSpec = Static<typeof TokenRequestSpec>

export const TokenRequestStatus = Struct('authentication.v1.TokenRequestStatus', {
  token: needed(1, Text()),
  expirationTimestamp: needed(2, Time()),
})
export type TokenRequestStatus = Static<typeof TokenRequestStatus>

export const TokenRequest = Kind('authentication.v1.TokenRequest', {
  spec: needed(2, TokenRequestSpec),
  status: embedded(3, TokenRequestStatus),
})
export type TokenRequest = Static<typeof TokenRequest>

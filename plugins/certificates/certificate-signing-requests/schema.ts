import {
  AtomicList,
  Bytes,
  embedded,
  field,
  Int32,
  Kind,
  kept,
  ListOf,
  MapList,
  MapOf,
  needed,
  type ObjectOf,
  type Static,
  Struct,
  Text,
  Time,
} from 'orch/sdk'

export const CertificateSigningRequestSpec = Struct('certificates.v1.CertificateSigningRequestSpec', {
  request: needed(1, Bytes(), { listType: 'atomic' }),
  signerName: needed(7, Text()),
  expirationSeconds: kept(8, Int32()),
  usages: field(5, AtomicList(Text())),
  username: field(2, Text()),
  uid: field(3, Text()),
  groups: field(4, AtomicList(Text())),
  extra: field(6, MapOf(ListOf(Text()))),
})
export type CertificateSigningRequestSpec = Static<typeof CertificateSigningRequestSpec>

export const CertificateSigningRequestCondition = Struct('certificates.v1.CertificateSigningRequestCondition', {
  type: needed(1, Text()),
  status: needed(6, Text()),
  reason: field(2, Text()),
  message: field(3, Text()),
  lastUpdateTime: embedded(4, Time()),
  lastTransitionTime: embedded(5, Time()),
})
export type CertificateSigningRequestCondition = Static<typeof CertificateSigningRequestCondition>

export const CertificateSigningRequestStatus = Struct('certificates.v1.CertificateSigningRequestStatus', {
  conditions: field(1, MapList(CertificateSigningRequestCondition, 'type')),
  certificate: field(2, Bytes(), { listType: 'atomic' }),
})
export type CertificateSigningRequestStatus = Static<typeof CertificateSigningRequestStatus>

export const CertificateSigningRequest = Kind('certificates.v1.CertificateSigningRequest', {
  spec: needed(2, CertificateSigningRequestSpec),
  status: embedded(3, CertificateSigningRequestStatus),
})
export type CertificateSigningRequest = ObjectOf<typeof CertificateSigningRequest>

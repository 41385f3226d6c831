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
  type ObjectOf,
  required,
  type Static,
  Struct,
  Text,
  Time,
} from 'orch/sdk'
import { allUsages } from '../signing/key-usages.js'

const usages: readonly string[] = [...allUsages].sort()

export const CertificateSigningRequestSpec = Struct(
  'certificates.v1.CertificateSigningRequestSpec',
  {
    request: required(1, Bytes(), { description: 'The signing request: PKCS#10 in a PEM block.', listType: 'atomic' }),
    signerName: required(7, Text(), 'The requested signer, such as example.com/clients.'),
    expirationSeconds: kept(
      8,
      Int32({ minimum: 600 }),
      'Wanted lifetime of the certificate in seconds, at least 600. The signer may decide otherwise.',
    ),
    usages: field(5, AtomicList(Text({ enum: usages })), 'Usages of the key, such as client auth.'),
    username: field(2, Text(), 'Who created the request. Filled in by the server.'),
    uid: field(3, Text(), 'UID of the creator. Filled in by the server.'),
    groups: field(4, AtomicList(Text()), 'Groups of the creator. Filled in by the server.'),
    extra: field(6, MapOf(ListOf(Text())), 'Further facts about the creator. Filled in by the server.'),
  },
  { description: 'What is to be signed, and the requester. It cannot be changed after creation.' },
)
export type CertificateSigningRequestSpec = Static<typeof CertificateSigningRequestSpec>

export const CertificateSigningRequestCondition = Struct(
  'certificates.v1.CertificateSigningRequestCondition',
  {
    type: required(1, Text(), 'Approved, Denied or Failed. A request has at most one of the first two.'),
    status: required(6, Text(), 'True, False or Unknown. Approved, Denied and Failed may only be True.'),
    reason: field(2, Text(), 'Machine-readable reason in one word.'),
    message: field(3, Text(), 'Human-readable message.'),
    lastUpdateTime: embedded(4, Time(), 'When the condition was last written.'),
    lastTransitionTime: embedded(5, Time(), 'When the status of the condition last changed. The server fills it in.'),
  },
  { description: 'A decision about the request.' },
)
export type CertificateSigningRequestCondition = Static<typeof CertificateSigningRequestCondition>

export const CertificateSigningRequestStatus = Struct(
  'certificates.v1.CertificateSigningRequestStatus',
  {
    conditions: field(1, MapList(CertificateSigningRequestCondition, 'type'), 'Decisions about the request.'),
    certificate: field(2, Bytes(), {
      description: 'The issued certificate and its intermediates, in PEM blocks. Set once by the signer.',
      listType: 'atomic',
    }),
  },
  { description: 'Observed state of the request.' },
)
export type CertificateSigningRequestStatus = Static<typeof CertificateSigningRequestStatus>

export const CertificateSigningRequest = Kind(
  'certificates.v1.CertificateSigningRequest',
  {
    spec: required(2, CertificateSigningRequestSpec, 'What is to be signed, and the requester.'),
    status: embedded(3, CertificateSigningRequestStatus, 'Observed state. Written by the system.'),
  },
  { description: 'A request for a certificate, to be approved by one party and signed by another.' },
)
export type CertificateSigningRequest = ObjectOf<typeof CertificateSigningRequest>

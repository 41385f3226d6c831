import {
  Bytes,
  Condition,
  embedded,
  field,
  Int32,
  KeyedList,
  Kind,
  kept,
  type ObjectOf,
  required,
  StringMap,
  Struct,
  Text,
  Time,
} from 'orch/sdk'

const Status = (version: string) =>
  Struct(
    `certificates.${version}.PodCertificateRequestStatus`,
    {
      conditions: field(1, KeyedList(Condition, 'type'), 'The outcome of the request: Issued, Denied or Failed.'),
      certificateChain: field(2, Text(), 'The certificate and its intermediates, in PEM blocks.'),
      notBefore: kept(4, Time(), 'Since when the certificate is valid.'),
      beginRefreshAt: kept(5, Time(), 'When the node agent is to request the next certificate.'),
      notAfter: kept(6, Time(), 'Until when the certificate is valid.'),
    },
    { description: 'Observed state of the request.' },
  )
const whose = {
  signerName: required(1, Text(), 'The requested signer, such as example.com/clients.'),
  podName: required(2, Text(), 'The Pod that gets the certificate.'),
  podUID: required(3, Text(), 'UID of the Pod.'),
  serviceAccountName: required(4, Text(), 'Service account of the Pod.'),
  serviceAccountUID: required(5, Text(), 'UID of the service account.'),
  nodeName: required(6, Text(), 'The node that the Pod runs on.'),
  nodeUID: required(7, Text(), 'UID of the node.'),
}
const life = kept(8, Int32(), {
  description: 'How long the certificate may be valid, in seconds: at least an hour, a day by default.',
  default: 24 * 60 * 60,
})
const keyDescription = 'The public key, DER-encoded as SubjectPublicKeyInfo.'
const proofDescription = 'Signature of the UID of the Pod with the private key.'

export const PodCertificateRequest = Kind(
  'certificates.v1beta1.PodCertificateRequest',
  {
    spec: required(
      2,
      Struct(
        'certificates.v1beta1.PodCertificateRequestSpec',
        {
          ...whose,
          maxExpirationSeconds: life,
          pkixPublicKey: field(9, Bytes(), keyDescription),
          proofOfPossession: field(10, Bytes(), proofDescription),
          unverifiedUserAnnotations: field(11, StringMap(), {
            description: 'Data from the Pod for the signer. It is not verified.',
            since: '1.35',
          }),
          stubPKCS10Request: field(12, Bytes(), {
            description: 'A signed request in PKCS#10 without a subject: the key and the proof in one.',
            presence: 'always',
            since: '1.36',
          }),
        },
        { description: 'For whom the certificate is, and its key. It cannot be changed.' },
      ),
      'For whom the certificate is, and its key.',
    ),
    status: embedded(3, Status('v1beta1'), 'Observed state. Written by the signer.'),
  },
  { description: 'A node agent asks for a certificate for a Pod.' },
)
export type PodCertificateRequest = ObjectOf<typeof PodCertificateRequest>

export const FirstPodCertificateRequest = Kind(
  'certificates.v1alpha1.PodCertificateRequest',
  {
    spec: required(
      2,
      Struct(
        'certificates.v1alpha1.PodCertificateRequestSpec',
        {
          ...whose,
          maxExpirationSeconds: life,
          pkixPublicKey: required(9, Bytes(), keyDescription),
          proofOfPossession: required(10, Bytes(), proofDescription),
        },
        { description: 'For whom the certificate is, and its key. It cannot be changed.' },
      ),
      'For whom the certificate is, and its key.',
    ),
    status: embedded(3, Status('v1alpha1'), 'Observed state. Written by the signer.'),
  },
  { description: 'A node agent asks for a certificate for a Pod.' },
)
export type FirstPodCertificateRequest = ObjectOf<typeof FirstPodCertificateRequest>

/** Fields that the first version did not have are dropped there: its clients could not use them. */
export const convertFirst = {
  toStorage: ({ spec, ...rest }: FirstPodCertificateRequest): PodCertificateRequest => ({
    ...rest,
    spec: { ...spec, stubPKCS10Request: null as never },
  }),
  fromStorage({ spec, ...rest }: PodCertificateRequest): FirstPodCertificateRequest {
    const {
      unverifiedUserAnnotations: _,
      stubPKCS10Request: __,
      pkixPublicKey = '',
      proofOfPossession = '',
      ...whose
    } = spec
    return { ...rest, spec: { ...whose, pkixPublicKey, proofOfPossession } }
  },
}

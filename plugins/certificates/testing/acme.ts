import { orchProfile, Vendor } from 'orch/sdk'
import type { CertificateSigningRequest } from '../certificate-signing-requests/schema.js'
import { certificateNames } from '../names.js'

/** A vendor of the tests, so that hard-coded names fail them. */
export const acme = new Vendor({ ...orchProfile, name: 'acme', domain: 'acme.test', groupDomain: 'api.acme.test' })
export const acmeNames = certificateNames(acme)

type Spec = CertificateSigningRequest['spec']
type Status = NonNullable<CertificateSigningRequest['status']>

/** A stored request; only what matters to the case is stated. */
export const stored = (status: Status = {}, spec: Partial<Spec> = {}): CertificateSigningRequest => ({
  metadata: { name: 'a', uid: 'u', creationTimestamp: '2024-01-01T00:00:00Z' },
  spec: { request: '', signerName: 'example.com/x', usages: ['any'], ...spec },
  status,
})
/** A condition that is true. */
export const isTrue = (type: string, more: object = {}) => ({ type, status: 'True', ...more })

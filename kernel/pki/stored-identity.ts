import { createPrivateKey, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import type { Identity } from './issue-certificate.js'

/** What a stored identity must still satisfy to be used again. */
export interface Expectation {
  readonly commonName: string
  readonly hosts?: readonly string[]
  readonly issuerCertificatePem?: string
  /** Milliseconds since the epoch at which it must still be valid. */
  readonly validUntil: number
}

/** Is this a key of the kind that is made here? */
export function isOwnKey(keyPem: string): boolean {
  try {
    return createPrivateKey(keyPem).asymmetricKeyDetails?.namedCurve === 'prime256v1'
  } catch {
    return false
  }
}

/** Can this identity be used, or must it be made anew? Needs no library but node's own. */
export function isUsable({ certificatePem, keyPem }: Identity, expected: Expectation): boolean {
  try {
    const certificate = new X509Certificate(certificatePem)
    if (!certificate.checkPrivateKey(createPrivateKey(keyPem))) return false
    if (Date.parse(certificate.validTo) < expected.validUntil) return false
    if (!certificate.subject.split('\n').includes(`CN=${expected.commonName}`)) return false
    const isServedHost = (host: string) =>
      (isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined
    if (!(expected.hosts ?? []).every(isServedHost)) return false
    if (expected.issuerCertificatePem === undefined) return true
    return certificate.verify(new X509Certificate(expected.issuerCertificatePem).publicKey)
  } catch {
    // Unreadable is as good as absent: it is made anew.
    return false
  }
}

import { X509Certificate } from 'node:crypto'

/** A certificate whose issuer is nobody that is trusted. */
const unknownIssuer = new Set([
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
])
/** A certificate that is wrong in another way. */
const wrongCertificate = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REJECTED',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

/** Is this the code of an error about the issuer of the server's certificate? */
export const isUnknownIssuer = (code: string): boolean => unknownIssuer.has(code)

/** Is this the code of an error of a TLS handshake? */
export const isTlsError = (code: string): boolean =>
  isUnknownIssuer(code) || wrongCertificate.has(code) || code === 'EPROTO' || code.startsWith('ERR_SSL_')

/** More names than these help nobody. */
const maxNames = 3

/** Who may sign the certificate of the server, by the subjects of these certificates. */
export function trustedNames(caPem: string | undefined): string {
  if (caPem === undefined) return 'the authorities of the system'
  const blocks = caPem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  const names = blocks.slice(0, maxNames).map(subjectOf)
  if (names.length === 0) return 'nobody, because the given authority is no certificate'
  return blocks.length > maxNames ? `${names.join('; ')} and ${blocks.length - maxNames} more` : names.join('; ')
}

function subjectOf(pem: string): string {
  try {
    return new X509Certificate(pem).subject.split('\n').join(', ')
  } catch {
    return 'a certificate that cannot be read'
  }
}

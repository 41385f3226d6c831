import { X509Certificate } from 'node:crypto'

/** The issuer of the certificate is not trusted. */
const unknownIssuer = new Set([
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
])
/** The certificate is invalid for another reason. */
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

/** More names would not help the reader. */
const maxNames = 3

/** The subjects of the trusted certificates, for error messages. */
export function trustedNames(caPem: string | undefined): string {
  if (caPem === undefined) return 'the authorities of the system'
  const blocks = caPem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  const names = blocks.slice(0, maxNames).map(subjectOf)
  if (names.length === 0) return 'no authority, because the given one is not a certificate'
  return blocks.length > maxNames ? `${names.join('; ')} and ${blocks.length - maxNames} more` : names.join('; ')
}

function subjectOf(pem: string): string {
  try {
    return new X509Certificate(pem).subject.split('\n').join(', ')
  } catch {
    return 'a certificate that cannot be read'
  }
}

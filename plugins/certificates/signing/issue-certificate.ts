import { randomBytes } from 'node:crypto'
import type { Extension, JsonGeneralNames } from '@peculiar/x509'
import { type Authority, signingKeyOf } from './authority.js'
import { extendedKeyUsageIds, keyUsageFlags } from './key-usages.js'
import { loadX509 } from './load-x509.js'
import type { ParsedRequest } from './parse-request.js'
import { toPem } from './pem-blocks.js'
import { validityOf } from './validity.js'

/** Parameters of the signer; subject, key and alternative names come from the request. */
export interface IssueOrder {
  readonly usages: readonly string[]
  readonly requestedSeconds: number | undefined
  readonly maxLifetimeMs: number
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Kinds of alternative names that are copied; TLS ignores others. */
const copiedNames = ['dns', 'email', 'ip', 'url']

/**
 * Issues the certificate, in PEM. Of the requested extensions only the alternative names are copied: usages are those
 * of the order, and the CA bit is never set.
 */
export async function issueCertificate(
  request: ParsedRequest,
  order: IssueOrder,
  authority: Authority,
): Promise<string> {
  const x509 = await loadX509()
  const issuer = new x509.X509Certificate(authority.certificatePem)
  const extensions: Extension[] = []
  const flags = keyUsageFlags(order.usages, x509.KeyUsageFlags)
  if (flags !== 0) extensions.push(new x509.KeyUsagesExtension(flags, true))
  const purposes = extendedKeyUsageIds(order.usages)
  if (purposes.length > 0) extensions.push(new x509.ExtendedKeyUsageExtension(purposes))
  extensions.push(new x509.BasicConstraintsExtension(false, undefined, true))
  const issuerKey = issuer.getExtension(x509.SubjectKeyIdentifierExtension)
  if (issuerKey) extensions.push(new x509.AuthorityKeyIdentifierExtension(issuerKey.keyId))
  const names = request.alternativeNames.filter(({ type }) => copiedNames.includes(type)) as JsonGeneralNames
  // Without a subject, the alternative names identify the owner, so they are critical (RFC 5280).
  const isNameless = request.source.subject === ''
  if (names.length > 0) extensions.push(new x509.SubjectAlternativeNameExtension(names, isNameless))
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    // As they were encoded: re-encoding a name from its text could change it.
    subject: request.source.subjectName,
    issuer: issuer.subjectName,
    publicKey: request.source.publicKey,
    ...validityOf({ ...order, authorityEnds: issuer.notAfter.getTime() }),
    ...(await signingKeyOf(authority)),
    extensions,
  })
  return toPem('CERTIFICATE', new Uint8Array(certificate.rawData))
}

/** Positive, at most 20 octets, and unpredictable, as RFC 5280 requires. */
function serialNumber(): string {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return bytes.toString('hex')
}

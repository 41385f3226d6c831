import { createPrivateKey, createPublicKey, KeyObject, randomBytes, webcrypto } from 'node:crypto'
import { isIP } from 'node:net'
import type { Extension, JsonName } from '@peculiar/x509'

/** A certificate with its private key, both PEM. */
export interface Identity {
  readonly certificatePem: string
  readonly keyPem: string
}
export interface CertificateRequest {
  readonly commonName: string
  readonly organizations?: readonly string[]
  readonly use: 'authority' | 'server' | 'client'
  /** Names and addresses the certificate is valid for. */
  readonly hosts?: readonly string[]
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly validForMs: number
  /** The key to certify, PEM of P-256; a new one by default. */
  readonly keyPem?: string | undefined
}

// P-256 because it is fast: generating an RSA key takes longer than the rest of a cold start.
const keyAlgorithm = { name: 'ECDSA', namedCurve: 'P-256' }
const signingAlgorithm = { name: 'ECDSA', hash: 'SHA-256' }
/** Certificates are backdated a little, for clients whose clock is slow. */
const clockSkewMs = 5 * 60_000

/** Issues a certificate, signed by the issuer or self-signed, and generates a key unless one is passed. */
export async function issueCertificate(request: CertificateRequest, issuer?: Identity): Promise<Identity> {
  // Loaded lazily: it takes 100 ms, and most starts find their certificates on disk.
  await import('reflect-metadata')
  const x509 = await import('@peculiar/x509')
  x509.cryptoProvider.set(webcrypto)
  const keys = await (request.keyPem === undefined ? newKeys() : keysOf(request.keyPem))
  const isAuthority = request.use === 'authority'
  const keyUsages = isAuthority
    ? x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign | x509.KeyUsageFlags.digitalSignature
    : x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyEncipherment
  const extensions: Extension[] = [
    new x509.BasicConstraintsExtension(isAuthority, undefined, true),
    new x509.KeyUsagesExtension(keyUsages, true),
    await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
  ]
  if (!isAuthority) {
    const purpose = request.use === 'server' ? x509.ExtendedKeyUsage.serverAuth : x509.ExtendedKeyUsage.clientAuth
    extensions.push(new x509.ExtendedKeyUsageExtension([purpose]))
  }
  if (request.hosts?.length) {
    const names = request.hosts.map(host => ({ type: isIP(host) ? ('ip' as const) : ('dns' as const), value: host }))
    extensions.push(new x509.SubjectAlternativeNameExtension(names))
  }
  const issuerCertificate = issuer && new x509.X509Certificate(issuer.certificatePem)
  if (issuerCertificate) {
    extensions.push(await x509.AuthorityKeyIdentifierExtension.create(issuerCertificate.publicKey))
  }
  const subject: JsonName = [{ CN: [request.commonName] }]
  for (const organization of [...(request.organizations ?? [])].reverse()) subject.unshift({ O: [organization] })
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject,
    issuer: issuerCertificate?.subjectName.toJSON() ?? subject,
    notBefore: new Date(request.now - clockSkewMs),
    notAfter: new Date(request.now + request.validForMs),
    publicKey: keys.publicKey,
    ...(await signer(issuer, keys.privateKey)),
    extensions,
  })
  return { certificatePem: `${certificate.toString('pem')}\n`, keyPem: pemOf(keys.privateKey) }
}

const newKeys = () =>
  webcrypto.subtle.generateKey(keyAlgorithm, true, ['sign', 'verify']) as Promise<webcrypto.CryptoKeyPair>

async function keysOf(keyPem: string): Promise<webcrypto.CryptoKeyPair> {
  const privateDer = createPrivateKey(keyPem).export({ type: 'pkcs8', format: 'der' })
  const publicDer = createPublicKey(keyPem).export({ type: 'spki', format: 'der' })
  const { subtle } = webcrypto
  return {
    privateKey: await subtle.importKey('pkcs8', privateDer, keyAlgorithm, true, ['sign']),
    publicKey: await subtle.importKey('spki', publicDer, keyAlgorithm, true, ['verify']),
  }
}

/** Positive, at most 20 octets, unpredictable, as RFC 5280 requires. */
function serialNumber(): string {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return bytes.toString('hex')
}

/** The key of the issuer may come from the operator, so RSA is supported, too. */
async function signer(issuer: Identity | undefined, ownKey: webcrypto.CryptoKey) {
  if (!issuer) return { signingKey: ownKey, signingAlgorithm }
  const key = createPrivateKey(issuer.keyPem)
  const isRsa = key.asymmetricKeyType === 'rsa'
  const curve = key.asymmetricKeyDetails?.namedCurve === 'secp384r1' ? 'P-384' : 'P-256'
  const algorithm = isRsa ? { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } : { name: 'ECDSA', namedCurve: curve }
  const der = key.export({ type: 'pkcs8', format: 'der' })
  const signingKey = await webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign'])
  return { signingKey, signingAlgorithm: isRsa ? algorithm : signingAlgorithm }
}

const pemOf = (key: webcrypto.CryptoKey): string =>
  KeyObject.from(key).export({ type: 'pkcs8', format: 'pem' }) as string

// @peculiar/x509 is built on tsyringe, which needs this first.
import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import {
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Name,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'

/** A certificate with its private key, in PEM. */
export interface KeyPair {
  readonly certificatePem: string
  readonly keyPem: string
}
/** A certificate that is unusual in some way. */
export interface CertificateRequest {
  readonly user: string
  readonly groups?: readonly string[]
  /** Object identifiers of the only uses it is good for; any use by default. */
  readonly usages?: readonly string[]
  /** The start and end of its validity, in ms from now. */
  readonly fromMs?: number
  readonly untilMs?: number
}
/** An authority for tests. */
export interface TestAuthority {
  readonly caPem: string
  /** For 127.0.0.1, localhost and these names. */
  server(...dnsNames: string[]): Promise<KeyPair>
  /** For a client: the common name is the user, organizations are its groups. */
  client(user: string, ...groups: string[]): Promise<KeyPair>
  /** For a client, with every detail. */
  issue(request: CertificateRequest): Promise<KeyPair>
  /** An authority below this one. What it issues comes with its certificate, for the handshake. */
  intermediate(name: string, limits?: AuthorityLimits): Promise<TestAuthority>
}
/** What an authority is marked as. */
export interface AuthorityLimits {
  /** False makes a certificate that signs although it is not an authority. */
  readonly isAuthority?: boolean
  /** How many authorities may stand below it. */
  readonly pathLength?: number
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const lifetimeMs = 3_600_000
const crypto = webcrypto

async function pemOf(certificate: X509Certificate, key: webcrypto.CryptoKey): Promise<KeyPair> {
  const bytes = Buffer.from(await crypto.subtle.exportKey('pkcs8', key))
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return {
    certificatePem: certificate.toString('pem'),
    keyPem: `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`,
  }
}

const beforeMs = -60_000
const newKeys = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']) as Promise<webcrypto.CryptoKeyPair>
const validity = (fromMs = beforeMs, untilMs = lifetimeMs) => ({
  notBefore: new Date(Date.now() + fromMs),
  notAfter: new Date(Date.now() + untilMs),
})
const authorityExtensions = ({ isAuthority = true, pathLength }: AuthorityLimits) => [
  new BasicConstraintsExtension(isAuthority, pathLength, true),
  ...(isAuthority ? [new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true)] : []),
]

/** Makes an authority that lives an hour. */
export async function testAuthority(name = 'test-ca', limits: AuthorityLimits = {}): Promise<TestAuthority> {
  cryptoProvider.set(crypto)
  const keys = await newKeys()
  const certificate = await X509CertificateGenerator.createSelfSigned({
    ...validity(),
    name: `CN=${name}`,
    keys,
    signingAlgorithm: algorithm,
    extensions: authorityExtensions(limits),
  })
  return authorityOf(certificate, keys.privateKey, '')
}

/** A self-signed serving certificate, for 127.0.0.1, localhost and these names. */
export async function selfSignedServer(...dnsNames: string[]): Promise<KeyPair> {
  cryptoProvider.set(crypto)
  const keys = await newKeys()
  const certificate = await X509CertificateGenerator.createSelfSigned({
    ...validity(),
    name: 'CN=server',
    keys,
    signingAlgorithm: algorithm,
    extensions: [new BasicConstraintsExtension(false, undefined, true), servedNames(dnsNames)],
  })
  return pemOf(certificate, keys.privateKey)
}

const servedNames = (dnsNames: readonly string[]) =>
  new SubjectAlternativeNameExtension([
    { type: 'ip', value: '127.0.0.1' },
    ...['localhost', ...dnsNames].map(value => ({ type: 'dns' as const, value })),
  ])

/** `chainPem` is added to everything that is issued. */
function authorityOf(ca: X509Certificate, signingKey: webcrypto.CryptoKey, chainPem: string): TestAuthority {
  const sign = async (subject: Name, extensions: Extension[], times = validity()) => {
    const own = await newKeys()
    const certificate = await X509CertificateGenerator.create({
      ...times,
      subject: subject.toJSON(),
      issuer: ca.subject,
      publicKey: own.publicKey,
      signingKey,
      signingAlgorithm: algorithm,
      extensions,
    })
    return { certificate, key: own.privateKey }
  }
  const issuePair = async (...request: Parameters<typeof sign>): Promise<KeyPair> => {
    const { certificate, key } = await sign(...request)
    const { certificatePem, keyPem } = await pemOf(certificate, key)
    return { certificatePem: `${certificatePem}\n${chainPem}`, keyPem }
  }
  const issue = ({ user, groups = [], usages, fromMs, untilMs }: CertificateRequest) =>
    issuePair(
      new Name([...groups.map(group => ({ O: [group] })), { CN: [user] }]),
      usages ? [new ExtendedKeyUsageExtension([...usages])] : [],
      validity(fromMs, untilMs),
    )
  return {
    caPem: ca.toString('pem'),
    server: (...dnsNames) => issuePair(new Name([{ CN: ['server'] }]), [servedNames(dnsNames)]),
    client: (user, ...groups) => issue({ user, groups }),
    issue,
    async intermediate(name, limits = {}) {
      const { certificate, key } = await sign(new Name([{ CN: [name] }]), authorityExtensions(limits))
      return authorityOf(certificate, key, `${certificate.toString('pem')}\n${chainPem}`)
    },
  }
}

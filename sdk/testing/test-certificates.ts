// @peculiar/x509 is built on tsyringe, which needs this first.
import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import {
  BasicConstraintsExtension,
  cryptoProvider,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'

/** A certificate with its private key, in PEM. */
export interface KeyPair {
  readonly certificatePem: string
  readonly keyPem: string
}
/** An authority for tests. */
export interface TestAuthority {
  readonly caPem: string
  /** For 127.0.0.1 and localhost. */
  server(): Promise<KeyPair>
  /** For a client: the common name is the user, organizations are its groups. */
  client(user: string, ...groups: string[]): Promise<KeyPair>
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

/** Makes an authority that lives an hour. */
export async function testAuthority(name = 'test-ca'): Promise<TestAuthority> {
  cryptoProvider.set(crypto)
  const validity = () => ({ notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + lifetimeMs) })
  const newKeys = () =>
    crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']) as Promise<webcrypto.CryptoKeyPair>
  const keys = await newKeys()
  const ca = await X509CertificateGenerator.createSelfSigned({
    ...validity(),
    name: `CN=${name}`,
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  })
  const issue = async (subject: string, extensions: SubjectAlternativeNameExtension[]) => {
    const own = await newKeys()
    const certificate = await X509CertificateGenerator.create({
      ...validity(),
      subject,
      issuer: ca.subject,
      publicKey: own.publicKey,
      signingKey: keys.privateKey,
      signingAlgorithm: algorithm,
      extensions,
    })
    return pemOf(certificate, own.privateKey)
  }
  return {
    caPem: ca.toString('pem'),
    server: () =>
      issue('CN=server', [
        new SubjectAlternativeNameExtension([
          { type: 'ip', value: '127.0.0.1' },
          { type: 'dns', value: 'localhost' },
        ]),
      ]),
    client: (user, ...groups) => issue([...groups.map(group => `O=${group}`), `CN=${user}`].join(','), []),
  }
}

import { KeyObject } from 'node:crypto'
import type { Authority } from '../signing/authority.js'
import { loadX509 } from '../signing/load-x509.js'
import { type KeyKind, keysOf } from './made-requests.js'

const dayMs = 24 * 3_600_000

/** An authority for tests, around a time that a test may choose. */
export async function anAuthority({
  key = 'P-256' as KeyKind,
  now = Date.now(),
  isCa = true,
  lifeMs = 3650 * dayMs,
} = {}): Promise<Authority> {
  const x509 = await loadX509()
  const keys = await keysOf(key)
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=acme-ca',
    notBefore: new Date(now - dayMs),
    notAfter: new Date(now + lifeMs),
    keys,
    signingAlgorithm: { name: keys.privateKey.algorithm.name, hash: 'SHA-256' },
    extensions: [
      new x509.BasicConstraintsExtension(isCa, undefined, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return {
    certificatePem: `${certificate.toString('pem')}\n`,
    keyPem: KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }) as string,
  }
}

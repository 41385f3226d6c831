import { createPrivateKey, type KeyObject, webcrypto, X509Certificate } from 'node:crypto'

/** A certificate authority: its certificate and its private key, both PEM. */
export interface Authority {
  readonly certificatePem: string
  readonly keyPem: string
}

/** Throws an Error that describes the problem unless certificate and key form a CA. It never quotes the key. */
export function checkAuthority({ certificatePem, keyPem }: Authority): void {
  if ((certificatePem.match(/-----BEGIN CERTIFICATE-----/g) ?? []).length !== 1)
    throw new Error('the certificate of the authority must be exactly one PEM block')
  const certificate = new X509Certificate(certificatePem)
  if (!certificate.ca) throw new Error('the certificate of the authority has no CA bit')
  if (!certificate.checkPrivateKey(readKey(keyPem)))
    throw new Error('the private key does not belong to the certificate of the authority')
}

function readKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch {
    // The error of the parser could quote the file.
    throw new Error('the private key of the authority cannot be read')
  }
}

const curves: Readonly<Record<string, { namedCurve: string; hash: string }>> = {
  prime256v1: { namedCurve: 'P-256', hash: 'SHA-256' },
  secp384r1: { namedCurve: 'P-384', hash: 'SHA-384' },
  secp521r1: { namedCurve: 'P-521', hash: 'SHA-512' },
}

/** The key of a CA and its signing algorithm. */
export async function signingKeyOf({ keyPem }: Authority): Promise<{
  signingKey: webcrypto.CryptoKey
  signingAlgorithm: { name: string; hash: string }
}> {
  const key = readKey(keyPem)
  const { algorithm, hash } = algorithmOf(key)
  const der = key.export({ type: 'pkcs8', format: 'der' })
  const signingKey = await webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign'])
  return { signingKey, signingAlgorithm: { name: algorithm.name, hash } }
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject) {
  if (asymmetricKeyType === 'rsa') return { algorithm: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, hash: 'SHA-256' }
  if (asymmetricKeyType === 'ed25519') return { algorithm: { name: 'Ed25519' }, hash: 'SHA-512' }
  const curve = curves[asymmetricKeyDetails?.namedCurve ?? '']
  if (curve === undefined) throw new Error(`an authority cannot sign with a key of type ${asymmetricKeyType}`)
  return { algorithm: { name: 'ECDSA', namedCurve: curve.namedCurve }, hash: curve.hash }
}

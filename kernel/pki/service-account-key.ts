import { createPrivateKey, createPublicKey, generateKeyPair } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { checkSigningKey } from './kept-keys.js'
import { readIfThere, writePrivateFile } from './private-files.js'

const tokenCurves = ['prime256v1', 'secp384r1', 'secp521r1']

/**
 * The default key for signing tokens of service accounts: that of the TLS server. It is stored in `<dataDir>/pki`, for control
 * loops in a separate process.
 */
export async function serviceAccountKey(dataDir: string, servingKeyPem: string): Promise<string> {
  const path = (name: string) => join(dataDir, 'pki', name)
  const keep = (name: string, pem: string) => {
    if (readIfThere(path(name)) !== pem) writePrivateFile(path(name), pem)
  }
  const kept = readIfThere(path('service-account.key'))
  const keyPem = canSignTokens(servingKeyPem) ? servingKeyPem : (kept ?? (await newKey()))
  if (keyPem === kept) checkSigningKey(path('service-account.key'), kept)
  keep('service-account.key', keyPem)
  keep('service-account.pub', createPublicKey(keyPem).export({ type: 'spki', format: 'pem' }) as string)
  return keyPem
}

/** A TLS server may have a key, such as Ed25519, that tokens of this API cannot be signed with. */
function canSignTokens(keyPem: string): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(keyPem)
    return asymmetricKeyType === 'rsa' || tokenCurves.includes(asymmetricKeyDetails?.namedCurve ?? '')
  } catch {
    // The TLS server reports the error.
    return false
  }
}

/** An elliptic curve, because generating such a key takes a millisecond, and an RSA key hundreds. */
async function newKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
}

import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { pemBlocks } from 'orch/sdk/files'

/** JWS algorithm of a key. */
export type SigningAlgorithm = 'RS256' | 'ES256' | 'ES384' | 'ES512'

export interface VerificationKey {
  readonly key: KeyObject
  readonly algorithm: SigningAlgorithm
  /** Derived from the key, so that it is the same on every server of a cluster. */
  readonly id: string
}
export interface SigningKey extends VerificationKey {
  readonly publicKey: VerificationKey
}

const curveAlgorithms: Readonly<Record<string, SigningAlgorithm>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
}

/** The public keys of a PEM text, which may hold public keys, private keys and certificates. */
export function readVerificationKeys(pem: string, source: string): VerificationKey[] {
  const found = pemBlocks(pem).filter(({ label }) => label !== 'EC PARAMETERS')
  if (found.length === 0) throw new Error(`${source} holds no PEM key`)
  return found.map(({ text }) =>
    describeKey(
      parsed(() => createPublicKey(text), source),
      source,
    ),
  )
}

/** The first private key of a PEM text; undefined when there is none. */
export function findSigningKey(pem: string, source: string): SigningKey | undefined {
  const block = pemBlocks(pem).find(({ label }) => label.endsWith('PRIVATE KEY'))?.text
  if (block === undefined) return undefined
  const key = parsed(() => createPrivateKey(block), source)
  const publicKey = describeKey(createPublicKey(key), source)
  return { ...publicKey, key, publicKey }
}

function parsed(parse: () => KeyObject, source: string): KeyObject {
  try {
    return parse()
  } catch {
    // The error of the parser may quote the key.
    throw new Error(`${source} holds a PEM block that is not a usable key`)
  }
}

function describeKey(key: KeyObject, source: string): VerificationKey {
  const der = key.export({ type: 'spki', format: 'der' })
  return { key, algorithm: algorithmOf(key, source), id: createHash('sha256').update(der).digest('base64url') }
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject, source: string): SigningAlgorithm {
  if (asymmetricKeyType === 'rsa') return 'RS256'
  const algorithm = curveAlgorithms[asymmetricKeyDetails?.namedCurve ?? '']
  if (asymmetricKeyType === 'ec' && algorithm) return algorithm
  throw new Error(`${source} holds a key that is neither RSA nor ECDSA on P-256, P-384 or P-521`)
}

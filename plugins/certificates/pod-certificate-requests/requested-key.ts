import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { type FieldError, invalidValue, tooLong } from 'orch/sdk'
import { loadX509 } from '../signing/load-x509.js'
import type { PodCertificateRequest } from './schema.js'

type Spec = PodCertificateRequest['spec']
const maxBytes = 10 * 1024
const pathOf = { key: 'spec.pkixPublicKey', proof: 'spec.proofOfPossession', request: 'spec.stubPKCS10Request' }
const omitted = '<value omitted>'
const curves = ['prime256v1', 'secp384r1', 'secp521r1']
const rsaSizes = [3072, 4096]

/** The key to be certified, and the proof of possession of the private key, in one of two forms. */
export async function validateKey(spec: Spec): Promise<FieldError[]> {
  const { pkixPublicKey = '', proofOfPossession = '', stubPKCS10Request = '' } = spec
  if (stubPKCS10Request && !pkixPublicKey && !proofOfPossession) return validateStub(stubPKCS10Request)
  if (!stubPKCS10Request && pkixPublicKey && proofOfPossession) return validateProof(spec)
  return [
    invalidValue(
      'spec',
      omitted,
      'exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set',
    ),
  ]
}

const bytesOf = (text: string | undefined) => Buffer.from(text ?? '', 'base64')

/** The key of a request that was validated before. */
export async function requestedKey({ pkixPublicKey, stubPKCS10Request }: Spec): Promise<KeyObject> {
  if (!stubPKCS10Request) return createPublicKey({ key: bytesOf(pkixPublicKey), format: 'der', type: 'spki' })
  const { Pkcs10CertificateRequest } = await loadX509()
  const { publicKey } = new Pkcs10CertificateRequest(bytesOf(stubPKCS10Request))
  return createPublicKey({ key: Buffer.from(publicKey.rawData), format: 'der', type: 'spki' })
}

function validateProof({ pkixPublicKey, proofOfPossession, podUID }: Spec): FieldError[] {
  const [bytes, proof] = [bytesOf(pkixPublicKey), bytesOf(proofOfPossession)]
  if (bytes.length > maxBytes) return [tooLong(pathOf.key, maxBytes)]
  if (proof.length > maxBytes) return [tooLong(pathOf.proof, maxBytes)]
  let key: KeyObject
  try {
    key = createPublicKey({ key: bytes, format: 'der', type: 'spki' })
  } catch {
    return [invalidValue(pathOf.key, pkixPublicKey, 'must be a valid PKIX-serialized public key')]
  }
  const problem = problemOfKey(key)
  if (problem) return [invalidValue(pathOf.key, omitted, problem)]
  return isProof(key, podUID, proof)
    ? []
    : [invalidValue(pathOf.proof, omitted, 'could not verify proof-of-possession signature')]
}

function isProof(key: KeyObject, podUid: string, proof: Buffer): boolean {
  const message = Buffer.from(podUid)
  try {
    if (key.asymmetricKeyType === 'ed25519') return verify(null, message, key, proof)
    if (key.asymmetricKeyType === 'ec') return verify('sha256', message, key, proof)
    const padding = constants.RSA_PKCS1_PSS_PADDING
    return verify('sha256', message, { key, padding, saltLength: constants.RSA_PSS_SALTLEN_AUTO }, proof)
  } catch {
    return false
  }
}

function problemOfKey(key: KeyObject): string | undefined {
  const { namedCurve = '', modulusLength = 0 } = key.asymmetricKeyDetails ?? {}
  switch (key.asymmetricKeyType) {
    case 'ed25519':
      return undefined
    case 'ec':
      return curves.includes(namedCurve) ? undefined : 'elliptic public keys must use curve P256, P384, or P521'
    case 'rsa':
      return rsaSizes.includes(modulusLength) ? undefined : 'RSA keys must have modulus size 3072 or 4096'
    default:
      return 'unknown public key type; supported types are Ed25519, ECDSA, and RSA'
  }
}

async function validateStub(text: string): Promise<FieldError[]> {
  const bytes = bytesOf(text)
  if (bytes.length > maxBytes) return [tooLong(pathOf.request, maxBytes)]
  const wrong = (detail: string) => [invalidValue(pathOf.request, omitted, detail)]
  const { Pkcs10CertificateRequest } = await loadX509()
  try {
    const request = new Pkcs10CertificateRequest(bytes)
    const key = createPublicKey({ key: Buffer.from(request.publicKey.rawData), format: 'der', type: 'spki' })
    const problem = problemOfKey(key)
    if (problem) return wrong(problem)
    const isSigned = await request.verify().catch(() => false)
    return isSigned ? [] : wrong('invalid signature')
  } catch {
    return wrong('must be a valid PKCS#10 CSR')
  }
}

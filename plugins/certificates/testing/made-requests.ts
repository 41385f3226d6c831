import { KeyObject, webcrypto } from 'node:crypto'
import type { Extension, JsonGeneralNames, JsonName } from '@peculiar/x509'
import { loadX509 } from '../signing/load-x509.js'

/** Key pairs for requests. RSA keys are slow to generate, so each kind is generated once. */
export type KeyKind = 'P-256' | 'P-384' | 'P-521' | 'Ed25519' | 'RSA-1024' | 'RSA-2048'
const made = new Map<KeyKind, Promise<webcrypto.CryptoKeyPair>>()

export function keysOf(kind: KeyKind): Promise<webcrypto.CryptoKeyPair> {
  const known = made.get(kind) ?? makeKeys(kind)
  made.set(kind, known)
  return known
}
async function makeKeys(kind: KeyKind): Promise<webcrypto.CryptoKeyPair> {
  const algorithm = kind.startsWith('RSA')
    ? {
        name: 'RSASSA-PKCS1-v1_5',
        modulusLength: Number(kind.slice(4)),
        publicExponent: new Uint8Array([1, 0, 1]),
        hash: 'SHA-256',
      }
    : kind === 'Ed25519'
      ? { name: 'Ed25519' }
      : { name: 'ECDSA', namedCurve: kind }
  return (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair
}

export interface Wanted {
  readonly commonNames?: readonly string[]
  readonly organizations?: readonly string[]
  readonly names?: JsonGeneralNames
  /** Instead of common names and organizations. */
  readonly subject?: JsonName
  readonly key?: KeyKind
  readonly asksForCa?: boolean
}
export interface MadeRequest {
  readonly pem: string
  readonly keyPem: string
}

/** A PKCS#10 request of a client. */
export async function aRequest(wanted: Wanted = {}): Promise<MadeRequest> {
  const { commonNames = ['jane'], organizations = [], names = [], key = 'P-256', asksForCa = false } = wanted
  const x509 = await loadX509()
  const keys = await keysOf(key)
  const extensions: Extension[] = []
  if (names.length > 0) extensions.push(new x509.SubjectAlternativeNameExtension(names))
  if (asksForCa) extensions.push(new x509.BasicConstraintsExtension(true, undefined, true))
  const subject = wanted.subject ?? [...organizations.map(O => ({ O: [O] })), ...commonNames.map(CN => ({ CN: [CN] }))]
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: subject,
    keys,
    signingAlgorithm: { name: keys.privateKey.algorithm.name, hash: 'SHA-256' },
    extensions,
  })
  return {
    pem: `${request.toString('pem')}\n`,
    keyPem: KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }) as string,
  }
}

/** A request of a node agent. */
export const aNodeRequest = (wanted: Wanted = {}): Promise<MadeRequest> =>
  aRequest({ commonNames: ['system:node:n1'], organizations: ['system:nodes'], ...wanted })

/** The same request with another key, so that its signature does not match. */
export async function withForeignKey(pem: string): Promise<string> {
  const { Pkcs10CertificateRequest } = await loadX509()
  const own = Buffer.from(new Pkcs10CertificateRequest(pem).publicKey.rawData)
  const other = await makeKeys('P-256')
  const foreign = Buffer.from(await webcrypto.subtle.exportKey('spki', other.publicKey))
  const der = Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64')
  foreign.copy(der, der.indexOf(own))
  return `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`
}

import { createPublicKey } from 'node:crypto'
import type { Pkcs10CertificateRequest } from '@peculiar/x509'
import { derValues } from 'orch/sdk'
import { loadX509 } from './load-x509.js'
import { pemBlocks } from './pem-blocks.js'
import { type SubjectNames, subjectNames } from './subject-names.js'

/** What a PKCS#10 request asks for. */
export interface ParsedRequest {
  readonly subject: SubjectNames
  readonly alternativeNames: readonly AlternativeName[]
  /** Bits of an RSA key; undefined for other keys. */
  readonly rsaBits: number | undefined
  /** The request as the library has it, for those who make the certificate. */
  readonly source: Pkcs10CertificateRequest
}
export interface AlternativeName {
  /** `dns`, `ip`, `email`, `url`, or another kind that no certificate of ours carries. */
  readonly type: string
  readonly value: string
}

/** The user name that a certificate for this subject stands for. */
export const userNameOf = ({ subject }: ParsedRequest): string => subject.commonNames.at(-1) ?? ''

const requestLabel = 'CERTIFICATE REQUEST'

/** Reads the first PEM block, which must be a PKCS#10 request. Throws an Error that says what is wrong. */
export async function parseRequest(pem: Buffer): Promise<ParsedRequest> {
  const [block] = pemBlocks(pem.toString('latin1'))
  if (block?.label !== requestLabel) throw new Error(`PEM block type must be ${requestLabel}`)
  // The library reads no further than the request goes.
  if (derValues(block.bytes).length !== 1) throw new Error('there is more than the request in the PEM block')
  const { Pkcs10CertificateRequest, SubjectAlternativeNameExtension } = await loadX509()
  const source = new Pkcs10CertificateRequest(block.bytes)
  const extensions = [...source.extensions].filter(extension => extension instanceof SubjectAlternativeNameExtension)
  const publicKey = createPublicKey({ key: Buffer.from(source.publicKey.rawData), format: 'der', type: 'spki' })
  return {
    subject: subjectNames(Buffer.from(source.subjectName.toArrayBuffer())),
    alternativeNames: extensions.flatMap(({ names }) => names.items.map(({ type, value }) => ({ type, value }))),
    rsaBits: publicKey.asymmetricKeyType === 'rsa' ? publicKey.asymmetricKeyDetails?.modulusLength : undefined,
    source,
  }
}

/** Throws unless the request is signed with the private key that belongs to the public key in it. */
export async function checkSignature({ source }: ParsedRequest): Promise<void> {
  // Why a library cannot cope with a key is nothing that whoever made the request could use.
  const isRight = await source.verify().catch((error: unknown) => {
    throw new Error('the key or the signature is of a kind that is not supported', { cause: error })
  })
  if (!isRight) throw new Error('the signature does not match the public key')
}

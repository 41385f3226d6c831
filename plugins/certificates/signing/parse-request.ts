import { createPublicKey } from 'node:crypto'
import type { Pkcs10CertificateRequest } from '@peculiar/x509'
import { derValues } from 'orch/sdk/identity'
import { loadX509 } from './load-x509.js'
import { pemBlocks } from './pem-blocks.js'

/** The parts of a subject that become a user and its groups. */
interface SubjectNames {
  readonly commonNames: readonly string[]
  readonly organizations: readonly string[]
}

const commonName = Buffer.from([0x55, 0x04, 0x03])
const organization = Buffer.from([0x55, 0x04, 0x0a])
const encodings: Readonly<Record<number, BufferEncoding>> = { 12: 'utf8', 19: 'latin1', 22: 'latin1' }

/**
 * The names in a DER-encoded X.501 Name. Only string types that every parser reads alike are accepted: the TLS stack,
 * which derives user and groups from a name, must read it exactly as this check does.
 */
function subjectNames(name: Buffer): SubjectNames {
  const attributes = derValues(derValues(name)[0]?.content ?? Buffer.alloc(0))
    .flatMap(({ content }) => derValues(content))
    .map(({ content }) => derValues(content))
  const textsOf = (type: Buffer) =>
    attributes
      .filter(([identifier]) => identifier?.content.equals(type))
      .map(([, value]) => {
        const encoding = encodings[value?.tag ?? 0]
        if (encoding === undefined)
          throw new Error('the subject has a name that is not a UTF8String or PrintableString')
        const text = value?.content.toString(encoding) ?? ''
        if (text.includes('\0')) throw new Error('the subject has a name with a zero byte')
        return text
      })
  return { commonNames: textsOf(commonName), organizations: textsOf(organization) }
}

/** The contents of a PKCS#10 request. */
export interface ParsedRequest {
  readonly subject: SubjectNames
  readonly alternativeNames: readonly AlternativeName[]
  /** Bits of an RSA key; undefined for other keys. */
  readonly rsaBits: number | undefined
  /** The request as parsed by the library, for creating the certificate. */
  readonly source: Pkcs10CertificateRequest
}
export interface AlternativeName {
  /** `dns`, `ip`, `email`, `url`, or another kind, which is not copied. */
  readonly type: string
  readonly value: string
}

/** The user name of a certificate for this subject. */
export const userNameOf = ({ subject }: ParsedRequest): string => subject.commonNames.at(-1) ?? ''

const requestLabel = 'CERTIFICATE REQUEST'

/** Reads the first PEM block, which must be a PKCS#10 request. Throws an Error that describes the problem. */
export async function parseRequest(pem: Buffer): Promise<ParsedRequest> {
  const [block] = pemBlocks(pem.toString('latin1'))
  if (block?.label !== requestLabel) throw new Error(`PEM block type must be ${requestLabel}`)
  // The library ignores bytes after the request.
  if (derValues(block.bytes).length !== 1) throw new Error('the PEM block contains more than the request')
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
  // The library's reason for rejecting a key would not help the requester.
  const isValid = await source.verify().catch((error: unknown) => {
    throw new Error('the key or the signature is of a kind that is not supported', { cause: error })
  })
  if (!isValid) throw new Error('the signature does not match the public key')
}

/** Parses a PKCS#10 certificate request. */

interface Der {
  readonly tag: number
  readonly content: Uint8Array
  readonly children: readonly Der[]
}

/** Consecutive elements. Throws on invalid DER. */
function readDer(bytes: Uint8Array): Der[] {
  const elements: Der[] = []
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at++]!
    let length = bytes[at++] ?? 0
    if (length > 0x80) {
      const count = length & 0x7f
      if (count > 4) throw new Error('a length is too large')
      length = 0
      for (let each = 0; each < count; each++) length = length * 256 + (bytes[at++] ?? 0)
    }
    if (at + length > bytes.length) throw new Error('it ends early')
    const content = bytes.subarray(at, at + length)
    elements.push({ tag, content, children: tag & 0x20 ? readDer(content) : [] })
    at += length
  }
  return elements
}

function identifierOf(content: Uint8Array): string {
  const numbers = [Math.floor(content[0]! / 40), content[0]! % 40]
  let value = 0
  for (const byte of content.subarray(1)) {
    value = value * 128 + (byte & 0x7f)
    if (!(byte & 0x80)) {
      numbers.push(value)
      value = 0
    }
  }
  return numbers.join('.')
}
const textOf = ({ content }: Der): string => new TextDecoder().decode(content)

const subjectNames: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.5': 'serialNumber',
}
const keyNames: Readonly<Record<string, string>> = {
  '1.2.840.113549.1.1.1': 'RSA',
  '1.2.840.10045.2.1': 'ECDSA',
  '1.3.101.112': 'Ed25519',
}
const curveNames: Readonly<Record<string, string>> = {
  '1.2.840.10045.3.1.7': 'P-256',
  '1.3.132.0.34': 'P-384',
  '1.3.132.0.35': 'P-521',
}
const extensionRequest = '1.2.840.113549.1.9.14'
const subjectAltName = '2.5.29.17'

export interface CertificateRequest {
  readonly subject: readonly (readonly [name: string, value: string])[]
  readonly key: string
  readonly alternativeNames: readonly string[]
}

/** `request` is base64 of PEM, as in the object. */
export function decodeRequest(request: string): CertificateRequest {
  const pem = atob(request)
  const body = /-----BEGIN [^-]+-----([\s\S]*?)-----END/.exec(pem)?.[1]
  if (body === undefined) throw new Error('it is not a PEM block')
  const bytes = Uint8Array.from(atob(body.replace(/\s/g, '')), letter => letter.charCodeAt(0))
  const info = readDer(bytes)[0]?.children[0]
  const [, subject, key, attributes] = info?.children ?? []
  if (!subject || !key) throw new Error('it is not a certificate request')
  return {
    subject: subject.children.flatMap(set =>
      set.children.map(pair => {
        const id = identifierOf(pair.children[0]!.content)
        return [subjectNames[id] ?? id, textOf(pair.children[1]!)] as const
      }),
    ),
    key: describeKey(key),
    alternativeNames: (attributes?.children ?? [])
      .filter(({ children }) => identifierOf(children[0]!.content) === extensionRequest)
      .flatMap(({ children }) => children[1]!.children[0]?.children ?? [])
      .filter(({ children }) => identifierOf(children[0]!.content) === subjectAltName)
      .flatMap(({ children }) => readDer(children.at(-1)!.content)[0]?.children ?? [])
      .map(describeName),
  }
}

function describeKey({ children: [algorithm, key] }: Der): string {
  const id = identifierOf(algorithm!.children[0]!.content)
  const name = keyNames[id] ?? id
  if (name === 'ECDSA') {
    const curve = identifierOf(algorithm!.children[1]!.content)
    return `ECDSA ${curveNames[curve] ?? curve}`
  }
  if (name !== 'RSA') return name
  const modulus = readDer(key!.content.subarray(1))[0]?.children[0]?.content ?? new Uint8Array()
  return `RSA ${(modulus.length - (modulus[0] === 0 ? 1 : 0)) * 8} bits`
}

function describeName(name: Der): string {
  const kind = name.tag & 0x1f
  if (kind === 2) return `DNS ${textOf(name)}`
  if (kind === 7)
    return `IP ${name.content.length === 4 ? [...name.content].join('.') : [...name.content].map(b => b.toString(16).padStart(2, '0')).join('')}`
  if (kind === 1) return `email ${textOf(name)}`
  if (kind === 6) return `URI ${textOf(name)}`
  return 'another name'
}

import { isObject, valueAt } from './json-paths.js'

/**
 * Reads a Protobuf response without its schema: lists of [field number, value]. Whether a length-delimited field is
 * text or a message is ambiguous, so the expectation decides; without one, it is guessed.
 */
type Field = readonly [number: number, value: number | string | Buffer]

const envelopePrefix = 'k8s\0'
const largestSafe = BigInt(Number.MAX_SAFE_INTEGER)

function readFields(bytes: Buffer): Field[] {
  const fields: Field[] = []
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]
      if (byte === undefined || shift > 63n) throw new Error('not a varint')
      value |= BigInt(byte & 127) << shift
      if ((byte & 128) === 0) return value
    }
  }
  const take = (length: number) => {
    if (at + length > bytes.length) throw new Error('too short')
    at += length
    return bytes.subarray(at - length, at)
  }
  while (at < bytes.length) {
    const tag = Number(varint())
    const number = tag >> 3
    if (number === 0) throw new Error('field 0')
    switch (tag & 7) {
      case 0: {
        const value = varint()
        fields.push([number, value > largestSafe ? String(value) : Number(value)])
        break
      }
      case 1:
        fields.push([number, `f64:${take(8).toString('hex')}`])
        break
      case 2:
        fields.push([number, take(Number(varint()))])
        break
      case 5:
        fields.push([number, `f32:${take(4).toString('hex')}`])
        break
      default:
        throw new Error('unknown wire type')
    }
  }
  return fields
}

const isZero = (value: Field[1]) => (Buffer.isBuffer(value) ? value.length === 0 : value === 0)
const present = (fields: Field[]) => fields.filter(([, value]) => !isZero(value))

/** A message if it can be read as one and is not plain text. */
function guess(bytes: Buffer): unknown {
  const text = bytes.toString('utf8')
  if (bytes.length === 0) return ''
  if (bytes[0] !== 10 && /^[\x20-\x7e\n]*$/.test(text)) return text
  try {
    return {
      pb: present(readFields(bytes)).map(([number, value]) => [number, Buffer.isBuffer(value) ? guess(value) : value]),
    }
  } catch {
    return { b64: bytes.toString('base64') }
  }
}

/** Reads bytes in the form of the expectation. */
function readLike(bytes: Buffer, like: unknown): unknown {
  if (typeof like === 'string') return bytes.toString('utf8')
  if (isObject(like) && like['b64'] !== undefined) return { b64: bytes.toString('base64') }
  const wanted = (isObject(like) ? (like['pb'] as [number, unknown][] | undefined) : undefined) ?? []
  try {
    return {
      pb: present(readFields(bytes)).map(([number, value], index) => {
        if (!Buffer.isBuffer(value)) return [number, value]
        const sameNumber = wanted[index]?.[0] === number ? wanted[index] : wanted.find(([other]) => other === number)
        return [number, sameNumber?.[1] === undefined ? guess(value) : readLike(value, sameNumber[1])]
      }),
    }
  } catch {
    return { b64: bytes.toString('base64') }
  }
}

/** Reads an enveloped response in the form of the expectation. */
export function readProtobufBody(bytes: Buffer, like: unknown): Record<string, unknown> {
  if (bytes.subarray(0, 4).toString('latin1') !== envelopePrefix)
    return { notEnvelope: bytes.subarray(0, 4).toString('hex') }
  const envelope: Record<string, unknown> = {}
  for (const [number, value] of readFields(bytes.subarray(4))) {
    if (!Buffer.isBuffer(value)) continue
    if (number === 1)
      envelope['typeMeta'] = Object.fromEntries(
        readFields(value).map(([field, text]) => [field === 1 ? 'apiVersion' : 'kind', text.toString()]),
      )
    // The expectation of an object of another kind says nothing about the fields.
    else if (number === 2)
      envelope['raw'] = isObject(like) && !isOfAnotherKind(envelope, like) ? readLike(value, like['raw']) : guess(value)
    else if (number === 3 && value.length > 0) envelope['contentEncoding'] = value.toString()
    else if (number === 4 && value.length > 0) envelope['contentType'] = value.toString()
  }
  return envelope
}

const isOfAnotherKind = (envelope: unknown, like: unknown): boolean => {
  const expected = valueAt(like, 'typeMeta.kind')
  return expected !== undefined && expected !== valueAt(envelope, 'typeMeta.kind')
}

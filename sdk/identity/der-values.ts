/** One value of a DER encoding. */
export interface DerValue {
  readonly tag: number
  readonly content: Buffer
}

/**
 * Splits bytes into the consecutive values that they consist of. Throws an Error when the last one is incomplete. Not asn1js: it reads BER,
 * whose indefinite lengths and strings in pieces other parsers read differently or refuse.
 */
export function derValues(bytes: Buffer): DerValue[] {
  const values: DerValue[] = []
  for (let at = 0; at < bytes.length; ) {
    const { contentStart, end } = extentOf(bytes, at)
    values.push({ tag: bytes[at] ?? 0, content: bytes.subarray(contentStart, end) })
    at = end
  }
  return values
}

function extentOf(bytes: Buffer, at: number): { contentStart: number; end: number } {
  const first = bytes[at + 1] ?? Number.NaN
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f
  const contentStart = at + 2 + lengthBytes
  const isReadable = (first < 0x80 || (lengthBytes > 0 && lengthBytes <= 4)) && contentStart <= bytes.length
  const end = !isReadable
    ? Number.NaN
    : contentStart + (lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes))
  if (!(end <= bytes.length)) throw new Error('the encoding is truncated')
  return { contentStart, end }
}

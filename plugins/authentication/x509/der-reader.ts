/** One element of DER: its tag and the bytes between header and end. */
export interface DerElement {
  readonly tag: number
  readonly content: Buffer
  /** Where the next element begins. */
  readonly end: number
}

export const tags = { boolean: 0x01, integer: 0x02, octets: 0x04, oid: 0x06, sequence: 0x30, extensions: 0xa3 } as const

/** Reads the element at `start`. Throws a RangeError when it does not fit. */
export function readElement(bytes: Buffer, start: number): DerElement {
  const tag = bytes.readUInt8(start)
  const first = bytes.readUInt8(start + 1)
  // Up to 127 the length is one byte; beyond, that byte says how many bytes of length follow.
  if (first === 0x80) throw new RangeError('DER has no elements of unknown length')
  const extra = first < 0x80 ? 0 : first & 0x7f
  const length = extra === 0 ? first : bytes.readUIntBE(start + 2, extra)
  const from = start + 2 + extra
  const end = from + length
  if (end > bytes.length) throw new RangeError('an element is longer than what holds it')
  return { tag, content: bytes.subarray(from, end), end }
}

/** The elements inside one. */
export function readElements(bytes: Buffer): DerElement[] {
  const elements: DerElement[] = []
  for (let at = 0; at < bytes.length; ) {
    const element = readElement(bytes, at)
    elements.push(element)
    at = element.end
  }
  return elements
}

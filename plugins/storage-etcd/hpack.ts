/**
 * Header compression of HTTP/2 as far as gRPC needs it (RFC 7541). Headers are sent as literals without indexing, and decoded with
 * an empty dynamic table, which the channel requests from its peer in its settings.
 */
const literal = (text: string): Buffer => Buffer.concat([prefixed(0, 7, Buffer.byteLength(text)), Buffer.from(text)])

/** Encodes headers. Names must be in lower case, and values must not be secret. */
export const encodeHeaders = (headers: Iterable<readonly [string, string]>): Buffer =>
  Buffer.concat([...headers].flatMap(([name, value]) => [Buffer.of(0), literal(name), literal(value)]))

function prefixed(first: number, bits: number, value: number): Buffer {
  const most = 2 ** bits - 1
  if (value < most) return Buffer.of(first | value)
  const bytes = [first | most]
  let rest = value - most
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return Buffer.from([...bytes, rest])
}

/** The static table: the names of all entries, and the values of those that have one. */
const staticNames =
  ':authority :method :method :path :path :scheme :scheme :status :status :status :status :status :status :status accept-charset accept-encoding accept-language accept-ranges accept access-control-allow-origin age allow authorization cache-control content-disposition content-encoding content-language content-length content-location content-range content-type cookie date etag expect expires from host if-match if-modified-since if-none-match if-range if-unmodified-since last-modified link location max-forwards proxy-authenticate proxy-authorization range referer refresh retry-after server set-cookie strict-transport-security transfer-encoding user-agent vary via www-authenticate'.split(
    ' ',
  )
const staticValues: Readonly<Record<number, string>> = {
  2: 'GET',
  3: 'POST',
  4: '/',
  5: '/index.html',
  6: 'http',
  7: 'https',
  8: '200',
  9: '204',
  10: '206',
  11: '304',
  12: '400',
  13: '404',
  14: '500',
  16: 'gzip, deflate',
}

const largestNumber = 2 ** 24
/** Throws an Error if the block is invalid. */
export function decodeHeaders(block: Buffer): Map<string, string> {
  const headers = new Map<string, string>()
  let at = 0
  const byte = (): number => {
    const next = block[at++]
    if (next === undefined) throw new Error('a header ends too early')
    return next
  }
  const number = (first: number, bits: number): number => {
    const most = 2 ** bits - 1
    let value = first & most
    if (value < most) return value
    for (let factor = 1; ; factor *= 128) {
      const next = byte()
      value += (next & 127) * factor
      if (value > largestNumber) throw new Error('a header holds too large a number')
      if (next < 128) return value
    }
  }
  const text = (): string => {
    const first = byte()
    const end = number(first, 7) + at
    if (end > block.length) throw new Error('a header is longer than its block')
    const bytes = block.subarray(at, end)
    at = end
    return (first & 128) === 0 ? bytes.toString('latin1') : fromHuffman(bytes)
  }
  const nameAt = (index: number): string => {
    const name = staticNames[index - 1]
    if (name === undefined) throw new Error(`header ${index} is in no table`)
    return name
  }
  while (at < block.length) {
    const first = byte()
    if (first >= 128) {
      const index = number(first, 7)
      headers.set(nameAt(index), staticValues[index] ?? '')
    } else if (first >= 32 && first < 64) {
      if (number(first, 5) > 0) throw new Error('a dynamic header table was not requested')
    } else {
      const index = number(first, first >= 64 ? 6 : 4)
      const name = index === 0 ? text() : nameAt(index)
      headers.set(name, text())
    }
  }
  return headers
}

/** The length in bits of the Huffman code of each byte, in base 36; the last is EOS. The code is canonical, so lengths suffice. */
const codeLengths =
  'dnsssssssoussussssssssusssssssss6aacd68baa8b8666555666666678f6cad677777777777777777777' +
  '77878djde6f56565666577666567655677777fbedskmkkmmmnmnnnnnonoomnonnnnlmnmnnomlkmmnnlnmmo' +
  'lmnnllmlnmnnkmmmnmmnqqkjmnmpqqqrrqopjlqrrqrollqqsrrrkoklmllnmmppooqnqrqqrrrrrsrrrrrqu'

/** Bytes by length and value of their codes. */
let codes: ReadonlyMap<number, number> | undefined
const codeKey = (length: number, value: number): number => length * 2 ** 30 + value
function canonicalCodes(): Map<number, number> {
  const found = new Map<number, number>()
  const bits = [...codeLengths].map(digit => Number.parseInt(digit, 36))
  let value = 0
  for (let length = 1; length <= 30; length++, value *= 2) {
    for (const [byte, each] of bits.entries()) if (each === length) found.set(codeKey(length, value++), byte)
  }
  return found
}

function fromHuffman(bytes: Buffer): string {
  codes ??= canonicalCodes()
  const text: number[] = []
  let [length, value] = [0, 0]
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit--) {
      value = value * 2 + ((byte >> bit) & 1)
      const found = codes.get(codeKey(++length, value))
      if (found === undefined) {
        if (length >= 30) throw new Error('a header contains an invalid Huffman code')
        continue
      }
      text.push(found)
      length = 0
      value = 0
    }
  }
  return Buffer.from(text).toString('latin1')
}

/** Frames of HTTP/2 (RFC 9113), as far as a client of gRPC needs them. */
export const frameTypes = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  push: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const
export const flags = { endStream: 1, ack: 1, endHeaders: 4, padded: 8, priority: 32 } as const
export const settings = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
} as const
export const frameHeader = 9
export const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
export const largestWindow = 2 ** 31 - 1
export const initialWindow = 65_535
export const smallestMaxFrame = 16_384

export interface Frame {
  readonly type: number
  readonly flags: number
  readonly stream: number
  readonly payload: Buffer
}

/** Writes the header of a frame, whose payload follows. */
export function writeFrameHeader(
  into: Buffer,
  at: number,
  { length, type, flags: set, stream }: { length: number; type: number; flags: number; stream: number },
): number {
  into.writeUIntBE(length, at, 3)
  into[at + 3] = type
  into[at + 4] = set
  into.writeUInt32BE(stream, at + 5)
  return at + frameHeader
}
export function frame(type: number, set: number, stream: number, payload: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(frameHeader + payload.length)
  payload.copy(bytes, writeFrameHeader(bytes, 0, { length: payload.length, type, flags: set, stream }))
  return bytes
}
export function number32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeUInt32BE(value)
  return bytes
}
export function settingsFrame(values: Readonly<Record<number, number>>): Buffer {
  const entries = Object.entries(values)
  const payload = Buffer.allocUnsafe(6 * entries.length)
  entries.forEach(([id, value], index) => {
    payload.writeUInt16BE(Number(id), 6 * index)
    payload.writeUInt32BE(value, 6 * index + 2)
  })
  return frame(frameTypes.settings, 0, 0, payload)
}

/** The payload without padding and, in a HEADERS frame, without priority. */
export function unpadded({ type, flags: set, payload }: Frame): Buffer {
  const isPadded = (set & flags.padded) !== 0
  const hasPriority = type === frameTypes.headers && (set & flags.priority) !== 0
  if (!isPadded && !hasPriority) return payload
  const start = (isPadded ? 1 : 0) + (hasPriority ? 5 : 0)
  const end = payload.length - (isPadded ? (payload[0] ?? 0) : 0)
  if (start > end) throw new Error('a frame has more padding than it is long')
  return payload.subarray(start, end)
}

const largestBlock = 65_536

/** Splits a byte stream into frames. Header blocks are joined and returned without padding. Payloads are views of the pushed bytes. */
export class FrameReader {
  #rest: Buffer[] = []
  #restLength = 0
  /** The number of bytes needed to complete the current frame, as far as known. */
  #needed = frameHeader
  /** A header block that continues in the next frame. */
  #begun: Frame | undefined;

  /** Throws an Error for an invalid frame. */
  *push(bytes: Buffer): Generator<Frame, void> {
    this.#rest.push(bytes)
    this.#restLength += bytes.length
    if (this.#restLength < this.#needed) return
    const all = this.#rest.length === 1 ? bytes : Buffer.concat(this.#rest, this.#restLength)
    let at = 0
    this.#needed = frameHeader
    while (all.length - at >= frameHeader) {
      const length = all.readUIntBE(at, 3)
      if (length > smallestMaxFrame) throw new Error(`a frame of ${length} bytes is too large`)
      const end = at + frameHeader + length
      if (end > all.length) {
        this.#needed = frameHeader + length
        break
      }
      const stream = all.readUInt32BE(at + 5) % 2 ** 31
      const payload = all.subarray(at + frameHeader, end)
      const whole = this.#whole({ type: all[at + 3]!, flags: all[at + 4]!, stream, payload })
      if (whole) yield whole
      at = end
    }
    const left = all.subarray(at)
    this.#rest = left.length > 0 ? [left] : []
    this.#restLength = left.length
  }

  #whole(next: Frame): Frame | undefined {
    const begun = this.#begun
    const isMore = next.type === frameTypes.continuation
    if (isMore !== (begun !== undefined) || (begun && begun.stream !== next.stream)) {
      throw new Error('unexpected continuation of headers, or none where one is required')
    }
    if (!isMore && next.type !== frameTypes.headers) return next
    const isEnd = (next.flags & flags.endHeaders) !== 0
    const block = begun ? Buffer.concat([begun.payload, next.payload]) : unpadded(next)
    if (block.length > largestBlock) throw new Error('headers are too large')
    const headers = { ...(begun ?? next), payload: block }
    this.#begun = isEnd ? undefined : headers
    return isEnd ? headers : undefined
  }
}

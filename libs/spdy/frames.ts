import { SpdyError } from './spdy-error.js'

/** Types of control frames. */
export const controlTypes = {
  synStream: 1,
  synReply: 2,
  rstStream: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  headers: 8,
  windowUpdate: 9,
} as const

export const flagFin = 1
export const resetCodes = { protocolError: 1, invalidStream: 2, refusedStream: 3, cancel: 5, streamClosed: 9 } as const

const version = 3
const headBytes = 8
/** The maximum size of a control frame. Data frames may have any length: they are passed on in pieces as they arrive. */
const maxControlBytes = 64 * 1024

export interface ControlFrame {
  readonly type: number
  readonly flags: number
  readonly body: Buffer
}

export interface FrameHandler {
  control(frame: ControlFrame): void | Promise<void>
  /** A piece of a data frame; `isLast` with the last piece of the last frame of a stream. Waits until it is read. */
  data(streamId: number, piece: Buffer, isLast: boolean): void | Promise<void>
}

/** Reads the frames of a connection in sequence: the next one is read once the previous one has been handled. */
export async function readFrames(source: AsyncIterable<Buffer>, handler: FrameHandler): Promise<void> {
  let pending: Buffer = Buffer.alloc(0)
  let data: { streamId: number; flags: number; left: number } | undefined
  for await (const chunk of source) {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    for (;;) {
      if (data) {
        const piece = pending.subarray(0, data.left)
        pending = pending.subarray(piece.length)
        data.left -= piece.length
        const isEnd = data.left === 0
        if (piece.length > 0 || isEnd) await handler.data(data.streamId, piece, isEnd && (data.flags & flagFin) !== 0)
        if (!isEnd) break
        data = undefined
      }
      if (pending.length < headBytes) break
      const first = pending.readUInt32BE(0)
      const flags = pending.readUInt8(4)
      const length = pending.readUIntBE(5, 3)
      if (first < 0x80000000) {
        data = { streamId: first, flags, left: length }
        pending = pending.subarray(headBytes)
        continue
      }
      const spoken = (first >>> 16) & 0x7fff
      if (spoken !== version) throw new SpdyError(`version ${spoken} is not supported, only ${version}`)
      if (length > maxControlBytes) throw new SpdyError(`a control frame has more than ${maxControlBytes} bytes`)
      if (pending.length < headBytes + length) break
      const body = pending.subarray(headBytes, headBytes + length)
      pending = pending.subarray(headBytes + length)
      await handler.control({ type: first & 0xffff, flags, body })
    }
  }
  if (data || pending.length > 0) throw new SpdyError('the connection ended within a frame')
}

export function controlFrame(type: number, flags: number, ...parts: (number | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map(part => (typeof part === 'number' ? uint32(part) : part)))
  const head = Buffer.alloc(headBytes)
  head.writeUInt32BE((0x80000000 | (version << 16) | type) >>> 0)
  head.writeUInt8(flags, 4)
  head.writeUIntBE(body.length, 5, 3)
  return Buffer.concat([head, body])
}

/** The head of a data frame; its bytes follow. */
export function dataHead(streamId: number, length: number, flags: number): Buffer {
  const head = Buffer.alloc(headBytes)
  head.writeUInt32BE(streamId)
  head.writeUInt8(flags, 4)
  head.writeUIntBE(length, 5, 3)
  return head
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}

/** A number in the body of a control frame. */
export function numberAt({ body }: ControlFrame, offset: number): number {
  if (offset + 4 > body.length) throw new SpdyError('a control frame is too short')
  return body.readUInt32BE(offset)
}

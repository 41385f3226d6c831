import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Out } from './answer-stream.js'
import type { SocketPace } from './socket-pace.js'

/** The size of a chunk in six digits, and the end of its line. */
const headBytes = 8
const lineEnd = '\r\n'
/** Room for data that is too short for its own chunk, such as the comma between items. */
const shortBytes = 4096
/**
 * Frames kept for reuse: as many responses can be in flight without allocating. Memory outside the heap that is allocated and dropped triggers
 * garbage collections, which cost more the more the heap holds (`npm run bench:compare -- --only create-c64,list-c8`).
 */
const maxPooled = 8
const spare: Buffer[] = []

/** A pooled frame, if it has this size: all responses of a server use one size. */
function takeFrame(bytes: number): Buffer {
  const frame = spare.pop()
  return frame?.length === bytes ? frame : Buffer.allocUnsafeSlow(bytes)
}

/** Sends a frame whose data ends there, and keeps its memory. */
function sendFrame(socket: Socket, frame: Buffer, end: number, sent: () => void): void {
  frame.write(`${(end - headBytes).toString(16).padStart(headBytes - lineEnd.length, '0')}${lineEnd}`, 0, 'latin1')
  frame.write(lineEnd, end, 'latin1')
  socket.write(frame.subarray(0, end + lineEnd.length), failure => {
    // After a failure the system may still read the bytes.
    if (!failure && spare.length < maxPooled) spare.push(frame)
    sent()
  })
}

/**
 * From this size on, copying a piece into a frame costs less than sending it as the three pieces that Node makes of it.
 */
export const framedFromBytes = 16 * 1024

/** Sends a piece, of at most `pieceBytes`, of a chunked response whose head has been sent. */
export function sendChunk(socket: Socket, bytes: Buffer, pieceBytes: number, sent: () => void): void {
  const frame = takeFrame(frameBytesFor(pieceBytes))
  frame.set(bytes, headBytes)
  sendFrame(socket, frame, headBytes + bytes.length, sent)
}
const frameBytesFor = (pieceBytes: number) => headBytes + shortBytes + pieceBytes + lineEnd.length

/**
 * A chunked response body, written to the socket directly. Node passes a chunk to the socket in pieces, which TLS
 * joins in newly allocated memory; here a chunk is assembled in a reused buffer.
 */
export class ChunkedBody implements Out {
  readonly #response: ServerResponse
  readonly #socket: Socket
  readonly #pace: SocketPace
  readonly #frameBytes: number
  #frame: Buffer | undefined
  #length = headBytes

  /** For responses of unknown length that have a body. */
  static of(response: ServerResponse, socket: Socket, pace: SocketPace, pieceBytes: number): Out {
    socket.cork()
    response.flushHeaders()
    process.nextTick(() => socket.uncork())
    return new ChunkedBody(response, socket, pace, frameBytesFor(pieceBytes))
  }
  private constructor(response: ServerResponse, socket: Socket, pace: SocketPace, frameBytes: number) {
    this.#response = response
    this.#socket = socket
    this.#pace = pace
    this.#frameBytes = frameBytes
  }

  get destroyed(): boolean {
    return this.#response.destroyed
  }
  get writableLength(): number {
    return this.#response.writableLength + this.#length - headBytes
  }
  get writableNeedDrain(): boolean {
    return !this.destroyed && this.#pace.isFull
  }

  /** Takes at most a piece; `written` is called at once, since the bytes are copied. */
  write(bytes: Buffer, written?: (failure: undefined) => void): boolean {
    if (this.#length + bytes.length > this.#frameBytes - lineEnd.length) this.#send()
    if (this.#frame === undefined) {
      this.#frame = takeFrame(this.#frameBytes)
      // Everything written in this turn of the event loop is sent together.
      process.nextTick(this.#send)
    }
    this.#frame.set(bytes, this.#length)
    this.#length += bytes.length
    written?.(undefined)
    if (bytes.length > shortBytes) this.#send()
    return !this.#pace.isFull
  }

  readonly #send = (): void => {
    const frame = this.#frame
    if (frame === undefined) return
    const end = this.#length
    this.#frame = undefined
    this.#length = headBytes
    // The connection is gone, but the writer has not noticed yet.
    if (!this.#socket.writable) return
    sendFrame(this.#socket, frame, end, this.#pace.sent)
  }

  once(event: 'drain' | 'close', listener: () => void): void {
    if (event === 'drain') this.#pace.onceDrained(listener)
    else this.#response.once(event, listener)
  }
  end(): void {
    this.#send()
    this.#response.end()
  }
  destroy(): void {
    this.#response.destroy()
  }
}

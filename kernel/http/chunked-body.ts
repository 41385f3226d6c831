import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Out } from './answer-stream.js'
import type { SocketPace } from './socket-pace.js'

/** The size of a chunk in six digits, and the end of its line. */
const headBytes = 8
const lineEnd = '\r\n'
/** Room for what is too short for a chunk of its own, such as the comma between items. */
const shortBytes = 4096
/** Frames kept for reuse: as many responses can be in flight without allocating (`npm run bench -- --only 'list*'`). */
const maxPooled = 8
const spare: Buffer[] = []

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

  /** For responses whose length the client does not know and whose body it wants. */
  static of(response: ServerResponse, socket: Socket, pace: SocketPace, pieceBytes: number): Out {
    socket.cork()
    response.flushHeaders()
    process.nextTick(() => socket.uncork())
    return new ChunkedBody(response, socket, pace, headBytes + shortBytes + pieceBytes + lineEnd.length)
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
      this.#frame = spare.pop() ?? Buffer.allocUnsafeSlow(this.#frameBytes)
      // What is written in this turn of the event loop is sent together.
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
    // The connection is gone, and the writer does not know yet.
    if (!this.#socket.writable) return
    frame.write(`${(end - headBytes).toString(16).padStart(headBytes - lineEnd.length, '0')}${lineEnd}`, 0, 'latin1')
    frame.write(lineEnd, end, 'latin1')
    this.#socket.write(frame.subarray(0, end + lineEnd.length), failure => {
      // After a failure the system may still read the bytes.
      if (!failure && spare.length < maxPooled) spare.push(frame)
      this.#pace.sent()
    })
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

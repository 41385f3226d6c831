import { once } from 'node:events'
import { connect, type TLSSocket } from 'node:tls'

const headersFrame = 1
const resetFrame = 3
const goawayFrame = 7
const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'
const headBytes = 9
const cancel = 8

/** Raw HTTP/2 frames, for what no client library does. */
export class Http2Frames {
  readonly #socket: TLSSocket
  #received = Buffer.alloc(0)
  #stream = 1
  isClosed = false

  private constructor(socket: TLSSocket) {
    this.#socket = socket
    socket.on('data', chunk => (this.#received = Buffer.concat([this.#received, chunk])))
    socket.on('error', () => {})
    for (const event of ['end', 'close']) socket.on(event, () => (this.isClosed = true))
  }

  static async open(url: string): Promise<Http2Frames> {
    const { hostname: host, port } = new URL(url)
    const socket = connect({ host, port: Number(port), rejectUnauthorized: false, ALPNProtocols: ['h2'] })
    await once(socket, 'secureConnect')
    const opened = new Http2Frames(socket)
    socket.write(Buffer.concat([Buffer.from(preface), frame(4, 0, 0, Buffer.alloc(0))]))
    return opened
  }

  /** Requests `/` and resets the stream, repeatedly, in one write. */
  askAndReset(times: number): void {
    const frames: Buffer[] = []
    for (let at = 0; at < times; at++) {
      // GET https /, all of the static table, and an authority.
      const head = Buffer.from([0x82, 0x87, 0x84, 0x01, 0x01, 0x78])
      frames.push(frame(headersFrame, 0x5, this.#stream, head), frame(resetFrame, 0, this.#stream, uint32(cancel)))
      this.#stream += 2
    }
    this.#socket.write(Buffer.concat(frames))
  }

  /** A header block that is announced to go on, and does not. */
  askWithoutEnd(): void {
    this.#socket.write(frame(headersFrame, 0x1, this.#stream, Buffer.from([0x82])))
  }

  /** The code of the GOAWAY frame that came, if any. */
  get goaway(): number | undefined {
    for (let at = 0; at + headBytes <= this.#received.length; ) {
      const end = at + headBytes + this.#received.readUIntBE(at, 3)
      if (this.#received[at + 3] === goawayFrame && end <= this.#received.length)
        return this.#received.readUInt32BE(at + headBytes + 4)
      at = end
    }
    return undefined
  }

  close(): void {
    this.#socket.destroy()
  }
}

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(headBytes)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

import * as net from 'node:net'
import * as tls from 'node:tls'

/** How an answer is read. */
export interface Reading {
  /** The response to a HEAD has no body, whatever its Content-Length. */
  readonly isHead?: boolean
  /** Read only the beginning and close the connection, as for a watch. */
  readonly isWatch?: boolean
}
export interface RawAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: Buffer
}

const answerLimitMs = 20_000

/** Sends raw bytes, HTTP or not, and reads one response at a time. Reconnects when the server closes the connection. */
export class RawConnection {
  readonly #host: string
  readonly #port: number
  readonly #isTls: boolean
  #socket: net.Socket | undefined
  #received = Buffer.alloc(0)
  #wake: () => void = () => {}
  #isClosed = false

  constructor(url: string) {
    const { hostname, port, protocol } = new URL(url)
    this.#isTls = protocol === 'https:'
    this.#host = hostname
    this.#port = Number(port)
  }

  /** Returns the response to a request. Throws on timeout or if the connection ends without one. */
  async exchange(request: Buffer, reading: Reading = {}): Promise<RawAnswer> {
    const isUsed = this.#socket !== undefined
    try {
      return await this.#ask(request, reading)
    } catch (error) {
      // The previous request may have closed the connection after its response: then this one was never read.
      if (!isUsed || !this.#isClosed || this.#received.length > 0) throw error
      this.close()
      return this.#ask(request, reading)
    }
  }

  async #ask(request: Buffer, reading: Reading): Promise<RawAnswer> {
    const socket = await this.#open()
    this.#received = Buffer.alloc(0)
    socket.write(request)
    const end = Date.now() + answerLimitMs
    for (;;) {
      const answer = readAnswer(this.#received, this.#isClosed, reading)
      if (answer) {
        if (answer.isLast) this.close()
        return answer
      }
      if (this.#isClosed) throw new Error(`the server hung up after ${this.#received.length} bytes`)
      if (Date.now() > end) {
        this.close()
        throw new Error(`no answer in ${answerLimitMs} ms`)
      }
      await this.#more(end - Date.now())
    }
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = undefined
  }

  async #open(): Promise<net.Socket> {
    if (this.#socket && !this.#isClosed && !this.#socket.destroyed) return this.#socket
    const place = { host: this.#host, port: this.#port }
    const socket = this.#isTls
      ? tls.connect({ ...place, rejectUnauthorized: false })
      : net.connect({ ...place, noDelay: true })
    await new Promise<void>((resolve, reject) => {
      socket.once(this.#isTls ? 'secureConnect' : 'connect', resolve)
      socket.once('error', reject)
    })
    socket.removeAllListeners('error')
    this.#isClosed = false
    this.#socket = socket
    socket.on('data', data => {
      this.#received = Buffer.concat([this.#received, data])
      this.#wake()
    })
    const closed = () => {
      if (this.#socket !== socket) return
      this.#isClosed = true
      this.#wake()
    }
    // The server may close the connection while we are sending: a response that came before counts.
    socket.on('error', closed)
    socket.on('close', closed)
    return socket
  }

  #more(limitMs: number): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(resolve, limitMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

/** Reads an answer if it is complete. */
function readAnswer(bytes: Buffer, isClosed: boolean, reading: Reading): (RawAnswer & { isLast: boolean }) | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = bytes.toString('latin1', 0, headEnd)
  const status = Number(head.slice(9, 12))
  const rest = bytes.subarray(headEnd + 4)
  if (status === 100) return readAnswer(rest, isClosed, reading)
  const contentType = /\r\ncontent-type: *([^\r]*)/i.exec(head)?.[1] ?? ''
  const isLast = isClosed || /\r\nconnection: *close/i.test(head)
  if (reading.isHead || status === 304) return { status, contentType, body: Buffer.alloc(0), isLast }
  if (reading.isWatch && status === 200) return { status, contentType, body: rest, isLast: true }
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  const isChunked = /\r\ntransfer-encoding: *chunked/i.test(head)
  const body = isChunked
    ? readChunks(rest)
    : length !== undefined
      ? rest.length >= Number(length)
        ? rest.subarray(0, Number(length))
        : undefined
      : isClosed
        ? rest
        : undefined
  return body && { status, contentType, body, isLast }
}

function readChunks(bytes: Buffer): Buffer | undefined {
  const chunks: Buffer[] = []
  let at = 0
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    if (size === 0) return bytes.length >= lineEnd + 4 ? Buffer.concat(chunks) : undefined
    if (bytes.length < lineEnd + 2 + size + 2) return undefined
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 2 + size + 2
  }
}

import * as net from 'node:net'
import * as tls from 'node:tls'

/** Where the load goes. */
export interface Target {
  readonly url: string
  readonly token: string
  /** Processes of the server, whose CPU and memory are measured. */
  readonly pids: readonly number[]
  /** Instead of JSON. */
  readonly accept?: string
}
export interface RequestExtras {
  readonly body?: string
  readonly type?: string
  /** Additional header lines, each with CRLF. */
  readonly headers?: string
  /** Receives the body in pieces instead of collecting it. */
  onBody?(piece: Buffer): void
  /** Called when the head of the answer is there. */
  onHead?(status: number): void
}
export interface Answer {
  readonly status: number
  readonly bytes: number
  readonly body: Buffer
}
/** Anything that can send requests. */
export interface Asker {
  request(method: string, path: string, extras?: RequestExtras): Promise<Answer>
  close(): void
}
interface Pending extends RequestExtras {
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
  status: number
  bytes: number
  readonly pieces: Buffer[]
}

type State = 'head' | 'chunk size' | 'body' | 'chunk end' | 'trailer'

/**
 * A deliberately thin HTTP/1.1 keep-alive client, one request at a time, so that the load generator costs far less CPU
 * than the server it measures.
 */
export class Connection implements Asker {
  readonly #socket: net.Socket
  readonly #head: string
  #pending: Pending | undefined
  #broken: Error | undefined
  #rest: Buffer | undefined
  #state: State = 'head'
  #isChunked = false
  #left = 0

  private constructor(socket: net.Socket, target: Target) {
    this.#socket = socket
    this.#head = ` HTTP/1.1\r\nHost: ${new URL(target.url).host}\r\nAccept: ${target.accept ?? 'application/json'}\r\nUser-Agent: bench\r\nAuthorization: Bearer ${target.token}\r\n`
    socket.setNoDelay(true)
    socket.on('data', data => this.#feed(data))
    socket.on('error', error => this.#fail(error))
    socket.on('close', () => this.#fail(new Error('connection closed by server')))
  }

  static open(target: Target): Promise<Connection> {
    const { protocol, hostname, port } = new URL(target.url)
    return new Promise((resolve, reject) => {
      const ready = () => {
        socket.off('error', reject)
        resolve(new Connection(socket, target))
      }
      const socket: net.Socket =
        protocol === 'https:'
          ? tls.connect(
              { host: hostname, port: Number(port), rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] },
              ready,
            )
          : net.connect({ host: hostname, port: Number(port) }, ready)
      socket.once('error', reject)
    })
  }

  get isBroken(): boolean {
    return this.#broken !== undefined
  }

  request(method: string, path: string, extras: RequestExtras = {}): Promise<Answer> {
    if (this.#broken) return Promise.reject(this.#broken)
    const { body, type = 'application/json', headers = '' } = extras
    const end =
      body === undefined ? '\r\n' : `Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
    return new Promise((resolve, reject) => {
      this.#pending = { ...extras, resolve, reject, status: 0, bytes: 0, pieces: [] }
      this.#socket.write(`${method} ${path}${this.#head}${headers}${end}`)
    })
  }

  close(): void {
    this.#broken ??= new Error('closed')
    this.#pending = undefined
    this.#socket.destroy()
  }

  #fail(error: Error): void {
    this.#broken ??= error
    const pending = this.#pending
    this.#pending = undefined
    pending?.reject(error)
  }

  #feed(data: Buffer): void {
    const bytes = this.#rest ? Buffer.concat([this.#rest, data]) : data
    this.#rest = undefined
    let at = 0
    while (this.#pending) {
      if (this.#state === 'body') {
        at = this.#takeBody(bytes, at)
        if (this.#left > 0) return
        if (this.#isChunked) this.#state = 'chunk end'
        else this.#finish()
        continue
      }
      if (this.#state === 'chunk end') {
        if (bytes.length - at < 2) break
        at += 2
        this.#state = 'chunk size'
      }
      const end = bytes.indexOf(this.#state === 'head' ? '\r\n\r\n' : '\r\n', at, 'latin1')
      if (end < 0) break
      at = this.#takeLine(bytes.toString('latin1', at, end), end)
    }
    if (at < bytes.length && this.#pending) this.#rest = bytes.subarray(at)
  }

  /** Consumes the available part of the body; returns its end. */
  #takeBody(bytes: Buffer, at: number): number {
    const pending = this.#pending
    const length = Math.min(this.#left, bytes.length - at)
    if (length > 0 && pending) {
      const piece = bytes.subarray(at, at + length)
      pending.bytes += length
      if (pending.onBody) pending.onBody(piece)
      else pending.pieces.push(piece)
      this.#left -= length
    }
    return at + length
  }

  /** Consumes the head, a chunk size or a trailer; returns the start of the next part. */
  #takeLine(line: string, end: number): number {
    if (this.#state === 'head') {
      const status = Number(line.slice(9, 12))
      this.#isChunked = /\r\ntransfer-encoding: *chunked/i.test(line)
      this.#left = this.#isChunked ? 0 : Number(/\r\ncontent-length: *(\d+)/i.exec(line)?.[1] ?? 0)
      this.#state = this.#isChunked ? 'chunk size' : 'body'
      if (this.#pending) this.#pending.status = status
      this.#pending?.onHead?.(status)
      return end + 4
    }
    if (this.#state === 'chunk size') {
      this.#left = Number.parseInt(line, 16)
      this.#state = this.#left > 0 ? 'body' : 'trailer'
    } else this.#finish()
    return end + 2
  }

  #finish(): void {
    const pending = this.#pending
    this.#pending = undefined
    this.#state = 'head'
    if (!pending) return
    const { status, bytes, pieces, resolve } = pending
    resolve({ status, bytes, body: Buffer.concat(pieces) })
  }
}

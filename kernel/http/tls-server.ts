import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import https from 'node:https'
import type { AddressInfo, Socket } from 'node:net'

/** Where connections come from when the server does not listen itself. */
export interface ConnectionSource {
  /** Hands every connection that comes to `accept`. */
  take(accept: (socket: Socket) => void): void
  /** Takes no more. */
  stop(): void
}
export interface ServerOptions {
  readonly bindAddress: string
  readonly port: number
  /** Undefined serves plain HTTP. */
  readonly tls: { readonly certificatePem: string; readonly keyPem: string } | undefined
  readonly requestTimeoutMs: number
  /** Another process listens, and hands connections over. */
  readonly connections?: ConnectionSource | undefined
}

/** Headers beyond this are refused before anything is parsed further. */
const maxHeaderBytes = 32 * 1024
const maxHeaderCount = 200
const keepAliveMs = 90_000

/** Where a server that listens is reached. */
export function addressOf(host: string, port: number, isTls: boolean): string {
  return `${isTls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The listening server: TLS, bounds on what a client may send, and an orderly end. */
export class HttpServer {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  /** Connections on which nothing was asked yet. Clients keep some ready; Node does not count them as idle. */
  readonly #unused = new Set<Socket>()
  readonly #connections: ConnectionSource | undefined

  constructor(
    { tls, requestTimeoutMs, connections }: ServerOptions,
    handle: (request: IncomingMessage, response: ServerResponse) => void,
  ) {
    this.#connections = connections
    const options: http.ServerOptions = {
      maxHeaderSize: maxHeaderBytes,
      keepAliveTimeout: keepAliveMs,
      headersTimeout: Math.min(30_000, requestTimeoutMs),
      requestTimeout: requestTimeoutMs,
      noDelay: true,
      requireHostHeader: false, // Node would answer without a Status
    }
    const handleProper = (request: IncomingMessage, response: ServerResponse) => {
      this.#unused.delete(request.socket)
      if (request.headers.host !== undefined || request.httpVersion === '1.0') handle(request, response)
      else answerBrokenRequest(new Error('no Host header'), request.socket)
    }
    this.#server = tls
      ? https.createServer(
          // Client certificates are asked for and judged by authenticators, so an unknown one is a 401, not a broken handshake.
          {
            ...options,
            cert: tls.certificatePem,
            key: tls.keyPem,
            requestCert: true,
            rejectUnauthorized: false,
            minVersion: 'TLSv1.2',
            ALPNProtocols: ['http/1.1'],
          },
          handleProper,
        )
      : http.createServer(options, handleProper)
    this.#server.maxHeadersCount = maxHeaderCount
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    this.#server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.#unused.add(socket)
      socket.once('close', () => this.#unused.delete(socket))
    })
    this.#server.on('clientError', answerBrokenRequest)
  }

  listen(bindAddress: string, port: number): Promise<number> {
    if (this.#connections) return this.#takeGiven(this.#connections, port)
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen({ host: bindAddress, port, backlog: 4096 }, () => {
        this.#server.off('error', reject)
        resolve((this.#server.address() as AddressInfo).port)
      })
    })
  }

  async #takeGiven(connections: ConnectionSource, port: number): Promise<number> {
    // Node begins to watch over slow requests when a server listens, which this one never does.
    this.#server.emit('listening')
    connections.take(socket => {
      socket.setNoDelay(true)
      this.#server.emit('connection', socket)
    })
    return port
  }

  /** Stops accepting, lets requests in flight finish, then closes what is left after `graceMs`. */
  async close(graceMs: number): Promise<void> {
    this.#connections?.stop()
    const closed = new Promise<void>(resolve => this.#server.close(() => resolve()))
    const closeIdle = () => {
      this.#server.closeIdleConnections()
      for (const socket of this.#unused) socket.destroy()
    }
    closeIdle()
    const timer = setTimeout(() => {
      this.#server.closeAllConnections()
      // Those that never finished their handshake are unknown to the server above.
      for (const socket of this.#sockets) socket.destroy()
    }, graceMs)
    const idle = setInterval(closeIdle, 50)
    await closed
    if (this.#connections) await this.#noneLeft()
    clearTimeout(timer)
    clearInterval(idle)
  }

  /** Node counts only connections that it accepted itself. */
  async #noneLeft(): Promise<void> {
    for (const socket of this.#sockets) await new Promise(resolve => socket.once('close', resolve))
  }
}

const statusOfCode: Readonly<Record<string, readonly [number, string, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'RequestHeaderFieldsTooLarge'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'Timeout'],
}

/** A request that cannot be parsed still gets a Status. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const [code, phrase, reason] = statusOfCode[error.code ?? ''] ?? [400, 'Bad Request', 'BadRequest']
  const message = code === 400 ? 'the request is not valid HTTP' : phrase
  const body = `${JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code })}\n`
  socket.end(
    `HTTP/1.1 ${code} ${phrase}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

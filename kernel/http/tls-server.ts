import http, { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import https from 'node:https'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import { DEFAULT_CIPHERS, type TLSSocket } from 'node:tls'
import { preventParserPause } from 'orch/sdk/host'
import type { Exchange } from '../contracts/exchange.js'
import type { ConnectionSource, ListenPlace } from '../contracts/siblings.js'
import type { Connections } from './connections.js'
import { Http1Exchange } from './http1-exchange.js'
import { Http2Sessions } from './http2-sessions.js'
import {
  badMethod,
  headProblem,
  type Refusal,
  refuse,
  statusText,
  tooLargeHead,
  unknownExpectation,
} from './request-head.js'
import { serveUpgrades, type UpgradedSockets, upgradableRequest } from './upgrades.js'

/** A certificate and its key, as PEM. */
export interface ServingPair {
  readonly certificatePem: string
  readonly keyPem: string
}
/**
 * As servers in Go do: the shorter key is safe enough for now, and encrypting with it takes a fifth less time (openssl
 * speed).
 */
const preferredCipher = 'TLS_AES_128_GCM_SHA256'
const isPreferred = (cipher: string): boolean => cipher === preferredCipher
/** Node's own list, which its `--tls-cipher-list` changes: ciphers that an operator removed stay disabled. */
const ciphers = DEFAULT_CIPHERS.split(':')
  .sort((a, b) => Number(isPreferred(b)) - Number(isPreferred(a)))
  .join(':')

const securityOf = ({ certificatePem, keyPem }: ServingPair) => ({
  cert: certificatePem,
  key: keyPem,
  // Without a list Node loads its built-in authorities, which takes 40 ms, and none of them is relevant here.
  ca: [],
  ciphers,
  minVersion: 'TLSv1.2' as const,
})

export interface ServerOptions {
  readonly bindAddress: string
  readonly port: number
  /** Undefined serves plain HTTP. */
  readonly tls: ServingPair | undefined
  /** Tracks all connections and enforces their limits. */
  readonly connections: Connections
  /** Another process listens, and passes connections on. */
  readonly source?: ConnectionSource | undefined
  /** Whether this request may upgrade its connection. Others are served as if they had not asked. */
  mayUpgrade?: ((request: IncomingMessage) => boolean) | undefined
}

/** How often connections are searched for overdue headers. */
const checkEveryMs = 1000
/** How long a client has to read the response to a malformed request. */
const lingerMs = 1000
/** How often a stopping server looks for idle connections. */
const closeIdleEveryMs = 50

/** Where a listening server can be reached. */
export function addressOf(host: string, port: number, isTls: boolean): string {
  return `${isTls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The listening server: TLS, limits on what a client may send, and graceful shutdown. */
export class HttpServer {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #connections: Connections
  readonly #source: ConnectionSource | undefined
  /** Undefined for a server with HTTP/1.1 only. */
  readonly #http2: Http2Sessions | undefined
  readonly #upgraded: UpgradedSockets | undefined

  constructor({ tls, connections, source, mayUpgrade }: ServerOptions, handle: (exchange: Exchange) => void) {
    this.#connections = connections
    this.#source = source
    const { headersMs, requestMs, headers, headBytes, streams } = connections.limits
    const options: http.ServerOptions = {
      maxHeaderSize: headBytes,
      keepAliveTimeout: 0, // idle connections are closed by `connections`
      headersTimeout: Math.min(headersMs, requestMs),
      requestTimeout: requestMs,
      connectionsCheckingInterval: checkEveryMs,
      noDelay: true,
      requireHostHeader: false, // Node would answer without a Status
      ...(mayUpgrade ? { IncomingMessage: upgradableRequest(mayUpgrade) } : {}),
    }
    const handleRequest = (request: IncomingMessage, response: ServerResponse) =>
      connections.begin(request, response, () => {
        const problem = headProblem(request, headers)
        if (problem) refuse(response, problem)
        else handle(new Http1Exchange(request, response, connections))
      })
    this.#http2 = tls && streams > 0 ? new Http2Sessions(connections, handle) : undefined
    this.#server = tls
      ? https.createServer(
          // Client certificates are requested here and verified by authenticators: an unknown one gets a 401, not a failed handshake.
          {
            ...options,
            ...securityOf(tls),
            requestCert: true,
            rejectUnauthorized: false,
            ALPNProtocols: this.#http2 ? ['h2', 'http/1.1'] : ['http/1.1'],
          },
          handleRequest,
        )
      : http.createServer(options, handleRequest)
    // Node silently drops headers beyond its limit, perhaps one for impersonation. Its limit is one more than ours, so
    // that exceeding ours is noticed.
    this.#server.maxHeadersCount = headers + 1
    this.#server.on('connection', (socket: Socket) => {
      if (!connections.accepted(socket)) return
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
      if (!tls) connections.startHttp1(socket)
    })
    if (this.#http2) serveBothProtocols(this.#server, this.#http2)
    this.#server.on('secureConnection', (socket: TLSSocket) => {
      if (socket.alpnProtocol === 'h2') return
      // Responses are paced by `SocketPace`, and pipelined requests are counted.
      preventParserPause(socket)
      connections.startHttp1(socket)
    })
    this.#upgraded = mayUpgrade && serveUpgrades(this.#server, handleRequest)
    this.#server.on('clientError', (error: BrokenRequest, socket: Socket) => {
      if (connections.fail(socket, error.code)) answerBrokenRequest(error, socket)
      else socket.destroy()
    })
    // Node would close the first without a response, and answer the second without a Status.
    this.#server.on('connect', (_request: IncomingMessage, socket: Socket) => endWith(socket, badMethod))
    this.#server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) =>
      refuse(response, unknownExpectation),
    )
    // Node would treat it as a malformed request, but nothing can be sent before the handshake is done.
    this.#server.removeAllListeners('tlsClientError')
    this.#server.on('tlsClientError', (_error: Error, socket: Socket) => socket.destroy())
  }

  /** Serves new connections with another certificate. */
  replaceCertificate(tls: ServingPair): void {
    if (this.#server instanceof https.Server) this.#server.setSecureContext(securityOf(tls))
  }

  listen(place: ListenPlace): Promise<number> {
    this.#connections.open()
    if (this.#source) return this.#takeFrom(this.#source, 'port' in place ? place.port : 0)
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen({ ...place, backlog: 4096 }, () => {
        this.#server.off('error', reject)
        // An error of one connection, such as too many open files, must not end the server.
        this.#server.on('error', error => this.#connections.acceptFailed(error))
        resolve((this.#server.address() as AddressInfo).port)
      })
    })
  }

  async #takeFrom(source: ConnectionSource, port: number): Promise<number> {
    // Node starts its check for slow requests in `listen`, which this server never calls.
    this.#server.emit('listening')
    source.take(socket => {
      socket.setNoDelay(true)
      this.#server.emit('connection', socket)
    })
    return port
  }

  /**
   * Stops accepting and lets requests in flight finish. A connection that is kept alive may send one more request within
   * `lingerMs`: it may already have been sent, and its response says that it is the last. After `graceMs` all connections are closed.
   */
  async close(graceMs: number, lingerMs: number): Promise<void> {
    this.#source?.stop()
    this.#connections.closeAfterAnswers()
    this.#connections.closeUnused()
    // Not by the HTTP server's own `close`, which drops keep-alive connections between two requests.
    const closed = new Promise<void>(resolve => NetServer.prototype.close.call(this.#server, () => resolve()))
    const lingersUntil = performance.now() + Math.min(lingerMs, graceMs)
    const closeIdle = () => {
      this.#connections.closeUnused()
      if (performance.now() < lingersUntil) return
      this.#server.closeIdleConnections()
      this.#http2?.finish()
      this.#upgraded?.endAll()
    }
    closeIdle()
    const timer = setTimeout(() => {
      this.#connections.endAll()
      this.#server.closeAllConnections()
      // Those that never finished their handshake are unknown to the server above.
      for (const socket of this.#sockets) socket.destroy()
    }, graceMs)
    const idle = setInterval(closeIdle, closeIdleEveryMs)
    await closed
    await this.#noneLeft()
    clearTimeout(timer)
    clearInterval(idle)
    this.#server.close() // ends its timers
    this.#connections.close()
  }

  /** Node counts only connections that it accepted itself, and does not wait for their `close` events. */
  async #noneLeft(): Promise<void> {
    for (const socket of this.#sockets) await new Promise(resolve => socket.once('close', resolve))
  }
}

/** Node's own listener treats every connection as HTTP/1.1: it gets only those that are. */
function serveBothProtocols(server: Server, http2: Http2Sessions): void {
  const [http1, ...others] = server.listeners('secureConnection')
  if (!http1 || others.length > 0) throw new Error('this version of Node serves HTTPS in another way')
  server.removeAllListeners('secureConnection')
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.alpnProtocol === 'h2') http2.serve(socket)
    else http1.call(server, socket)
  })
}

const broken: Refusal = { code: 400, reason: 'BadRequest', message: 'the request is not valid HTTP' }
const malformedRequests: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: tooLargeHead,
  ERR_HTTP_REQUEST_TIMEOUT: { code: 408, reason: 'Timeout', message: 'Request Timeout' },
}

type BrokenRequest = NodeJS.ErrnoException & { rawPacket?: Buffer }

/** A request that cannot be parsed still gets a Status. */
function answerBrokenRequest(error: BrokenRequest, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const isOtherMethod = error.code === 'HPE_INVALID_METHOD' && requestLine.test(String(error.rawPacket))
  endWith(socket, isOtherMethod ? badMethod : (malformedRequests[error.code ?? ''] ?? broken))
}

/** Any method: the parser rejects unknown ones as invalid HTTP. */
const requestLine = /^[!#$%&'*+.^`|~\w-]{1,64} [^ \r\n]+ HTTP\/1\.[01]\r?$/m

function endWith(socket: Socket, problem: Refusal): void {
  const body = statusText(problem)
  socket.end(
    `HTTP/1.1 ${problem.code} ${STATUS_CODES[problem.code]}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
  // A client that neither reads nor closes must not keep the connection.
  setTimeout(() => socket.destroy(), lingerMs).unref()
}

import { constants, createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import type { Exchange } from '../contracts/exchange.js'
import type { Connections } from './connections.js'
import { pieceBytes } from './http2-answer.js'
import type { Http2Connection } from './http2-connection.js'
import { Http2Exchange, type StreamHead } from './http2-exchange.js'
import { statusText, streamHeadProblem } from './request-head.js'

/**
 * The flow-control window: bytes of a body that a client may send before we have read any. Node applies it per stream
 * and has no limit for all streams together, so it must not be large; a smaller one costs more CPU for large bodies,
 * see the README.
 */
const windowBytes = 128 * 1024
/** Invalid frames after which a session is closed. */
const maxInvalidFrames = 100
/** Megabytes that Node keeps per connection besides responses: headers and the state of streams. */
const ownMegabytes = 10

/** Serves connections whose clients negotiated HTTP/2. Another server listens, and passes them on. */
export class Http2Sessions {
  readonly #server: Http2Server
  readonly #connections: Connections
  readonly #handle: (exchange: Exchange) => void
  readonly #open = new Set<Http2Connection>()

  constructor(connections: Connections, handle: (exchange: Exchange) => void) {
    this.#connections = connections
    this.#handle = handle
    const { streams, headers, headBytes } = connections.limits
    this.#server = createServer({
      settings: {
        enablePush: false,
        maxConcurrentStreams: streams,
        initialWindowSize: windowBytes,
        // A slightly too large request gets an error; Node would only reset the stream.
        maxHeaderListSize: 2 * headBytes,
      },
      maxHeaderListPairs: 2 * headers,
      maxSessionInvalidFrames: maxInvalidFrames,
      // Streams beyond this limit are refused, so it must be more than slow clients can cause.
      maxSessionMemory: ownMegabytes + Math.ceil((streams * pieceBytes) / 1_000_000),
    })
  }

  serve(socket: TLSSocket): void {
    // Emitted synchronously.
    this.#server.once('session', session => this.#start(session, socket))
    this.#server.emit('connection', socket)
  }

  #start(session: ServerHttp2Session, socket: TLSSocket): void {
    const connection = this.#connections.startHttp2(socket, session)
    if (!connection) return
    this.#open.add(connection)
    session.once('close', () => this.#open.delete(connection))
    session.on(
      'stream',
      (stream: ServerHttp2Stream, headers: StreamHead['headers'], _flags: number, rawHeaders: string[]) => {
        stream.on('error', () => {})
        if (connection.admits(stream)) this.#begin(connection, stream, { headers, rawHeaders })
      },
    )
  }

  #begin(connection: Http2Connection, stream: ServerHttp2Stream, head: StreamHead): void {
    const problem = streamHeadProblem(head.headers, head.rawHeaders, this.#connections.limits)
    const exchange = new Http2Exchange(stream, head, connection, this.#connections)
    connection.begin(exchange)
    if (problem) return exchange.send(problem.code, { 'Content-Type': 'application/json' }, statusText(problem))
    if (exchange.headers.expect !== undefined) stream.additionalHeaders({ ':status': constants.HTTP_STATUS_CONTINUE })
    this.#handle(exchange)
  }

  /** Closes connections after the responses in flight. */
  finish(): void {
    for (const connection of this.#open) connection.finish()
  }
}

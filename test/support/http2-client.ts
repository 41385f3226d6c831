import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type OutgoingHttpHeaders,
} from 'node:http2'

export interface Http2Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Buffer
  readonly text: string
}
export interface Http2Question {
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string | Buffer
  /** The caller writes the body. */
  readonly isUnfinished?: boolean
  /** What comes after the body. */
  readonly trailers?: OutgoingHttpHeaders
}
export interface Http2Credentials {
  readonly token?: string | undefined
  readonly cert?: string | undefined
  readonly key?: string | undefined
}

/** One HTTP/2 connection, and what the server says about it. */
export class Http2Client {
  readonly session: ClientHttp2Session
  readonly #headers: OutgoingHttpHeaders
  /** Codes and last streams of the GOAWAY frames that came. */
  readonly goaways: { readonly code: number; readonly lastStream: number }[] = []
  isClosed = false

  constructor(url: string, { token, cert, key }: Http2Credentials = {}) {
    this.session = connect(url, {
      rejectUnauthorized: false,
      // Our own limit: requests whose bodies wait to be sent count.
      maxSessionMemory: 1000,
      ...(cert === undefined ? {} : { cert, key: key ?? '' }),
    })
    this.#headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    this.session.on('error', () => {})
    this.session.on('goaway', (code, lastStream) => this.goaways.push({ code, lastStream }))
    this.session.on('close', () => (this.isClosed = true))
  }

  /** A stream on which nothing is read unless the caller does. */
  open(
    method: string,
    path: string,
    { headers = {}, body, isUnfinished, trailers }: Http2Question = {},
  ): ClientHttp2Stream {
    const head = { ':method': method, ':path': path, ...this.#headers, ...headers }
    const stream = this.session.request(head, {
      endStream: body === undefined && !isUnfinished,
      ...(trailers === undefined ? {} : { waitForTrailers: true }),
    })
    if (trailers !== undefined) stream.on('wantTrailers', () => stream.sendTrailers(trailers))
    stream.on('error', () => {})
    if (body !== undefined) stream.end(body)
    return stream
  }

  ask(method: string, path: string, question: Http2Question = {}): Promise<Http2Answer> {
    const stream = this.open(method, path, question)
    const pieces: Buffer[] = []
    let headers: Http2Answer['headers'] = {}
    stream.on('response', head => (headers = head as Http2Answer['headers']))
    stream.on('data', piece => pieces.push(piece))
    return new Promise((resolve, reject) => {
      stream.on('close', () => {
        const isWhole = headers[':status'] !== undefined && stream.rstCode === constants.NGHTTP2_NO_ERROR
        if (!isWhole) return reject(new Error(`the stream was reset with code ${stream.rstCode}`))
        const bytes = Buffer.concat(pieces)
        resolve({ status: Number(headers[':status']), headers, bytes, text: bytes.toString() })
      })
    })
  }

  close(): void {
    this.session.destroy()
  }
}

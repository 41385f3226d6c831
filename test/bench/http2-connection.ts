import { type ClientHttp2Session, connect } from 'node:http2'
import type { Answer, Asker, RequestExtras, Target } from './connection.js'

/** Those of the clients in Go. */
const streamWindow = 4 * 2 ** 20
const connectionWindow = 2 ** 30

/** An HTTP/2 connection, with as many requests at once as the server allows. Costs more CPU than the server it measures. */
export class Http2Connection implements Asker {
  readonly #session: ClientHttp2Session
  readonly #token: string

  constructor({ url, token }: Target) {
    this.#session = connect(url, { rejectUnauthorized: false, settings: { initialWindowSize: streamWindow } })
    this.#session.on('connect', () => this.#session.setLocalWindowSize(connectionWindow))
    this.#session.on('error', () => {})
    this.#token = token
  }

  request(method: string, path: string, { body, type = 'application/json', onBody, onHead }: RequestExtras = {}) {
    const stream = this.#session.request({
      ':method': method,
      ':path': path,
      accept: 'application/json',
      authorization: `Bearer ${this.#token}`,
      ...(body === undefined ? {} : { 'content-type': type }),
    })
    if (body !== undefined) stream.end(body)
    return new Promise<Answer>((resolve, reject) => {
      let status = 0
      let bytes = 0
      const pieces: Buffer[] = []
      stream.on('response', head => {
        status = Number(head[':status'])
        onHead?.(status)
      })
      stream.on('data', (piece: Buffer) => {
        bytes += piece.length
        if (onBody) onBody(piece)
        else pieces.push(piece)
      })
      stream.on('end', () => resolve({ status, bytes, body: Buffer.concat(pieces) }))
      stream.on('error', reject)
    })
  }

  close(): void {
    this.#session.destroy()
  }
}

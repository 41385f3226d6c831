import type { X509Certificate } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Exchange, ResponseStream } from './exchange.js'

/** The exchange of work that the server does by itself: there is no request behind it, and nobody reads an answer. */
export class UnattendedExchange implements Exchange {
  readonly method = ''
  readonly url = ''
  readonly headers = {}
  readonly remoteAddress = 'in-process'
  readonly trustedUser = undefined
  readonly stalledMs = 0
  readonly isAnswered = false
  readonly status = 0
  clientCertificates(): readonly X509Certificate[] {
    return []
  }
  headerValues(): readonly string[] {
    return []
  }
  async readBody(): Promise<Buffer> {
    return Buffer.alloc(0)
  }
  bodyStream(): Readable {
    return Readable.from([])
  }
  setHeader(): void {}
  send(): void {}
  stream(): ResponseStream {
    throw new Error('nobody reads what the server does by itself')
  }
  hold(): boolean {
    return true
  }
  onClose(): void {}
}

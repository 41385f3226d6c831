import type { X509Certificate } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Exchange, ResponseStream } from './exchange.js'

/** The exchange of internal work of the server: there is no client, and no response is read. */
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
    throw new Error('internal work of the server has no client to answer')
  }
  hold(): boolean {
    return true
  }
  onClose(): void {}
}

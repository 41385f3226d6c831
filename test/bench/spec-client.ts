import { once } from 'node:events'
import { Agent, request } from 'node:https'
import { createInterface } from 'node:readline'
import { createSecureContext } from 'node:tls'
import type { KeyPair } from 'orch/sdk/testing'

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says
  readonly body: any
}
export interface Watch {
  /** The next event. */
  next(): Promise<{ readonly type: string; readonly object: Answer['body'] }>
  close(): void
}

/** A client with little overhead, so that the time of specs is that of the server. */
export class SpecClient {
  readonly #url: string
  readonly #agent: Agent
  readonly #watches: Agent

  constructor(url: string, caPem: string, { certificatePem, keyPem }: KeyPair) {
    this.#url = url
    // Real clients send many requests over one connection; here they share a few.
    const secureContext = createSecureContext({ ca: caPem, cert: certificatePem, key: keyPem })
    this.#agent = new Agent({ keepAlive: true, maxSockets: 4, secureContext })
    this.#watches = new Agent({ secureContext })
  }

  close(): void {
    this.#agent.destroy()
    this.#watches.destroy()
  }

  async send(method: string, path: string, body?: object, type = 'application/json'): Promise<Answer> {
    const sending = this.#begin(method, path, type)
    const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body))
    // Node sets the length automatically only for some methods.
    if (bytes.length > 0) sending.setHeader('Content-Length', bytes.length)
    sending.end(bytes)
    const [answer] = await once(sending, 'response')
    const chunks: Buffer[] = []
    for await (const chunk of answer) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    return { status: answer.statusCode, body: text.startsWith('{') ? JSON.parse(text) : text }
  }

  /** Like `send`, but throws on errors. */
  async ok(method: string, path: string, body?: object, type?: string): Promise<Answer['body']> {
    const answer = await this.send(method, path, body, type)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  async watch(path: string): Promise<Watch> {
    const sending = this.#begin('GET', path, 'application/json', this.#watches)
    sending.end()
    const [answer] = await once(sending, 'response')
    const lines = createInterface({ input: answer })[Symbol.asyncIterator]()
    return {
      next: async () => JSON.parse((await lines.next()).value),
      close: () => void sending.destroy(),
    }
  }

  #begin(method: string, path: string, type: string, agent = this.#agent) {
    const headers = { 'Content-Type': type, Accept: 'application/json', 'User-Agent': 'specs/1' }
    return request(this.#url + path, { method, agent, headers }).on('error', () => {})
  }
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'

/** A request to the server; everything can be changed. */
export interface PassingRequest {
  method: string
  readonly url: URL
  readonly headers: Record<string, string>
  body: Buffer
  /** The body as JSON, changed in place by the function. */
  changeJson(change: (value: Json) => void): void
}
/** A response of the server. */
export interface PassingAnswer {
  status: number
  readonly headers: Record<string, string>
  body: Buffer
  changeJson(change: (value: Json) => void): void
}
// biome-ignore lint/suspicious/noExplicitAny: whatever JSON is on the wire
export type Json = any

/** The changes that the proxy makes. */
export interface Tamper {
  /** May respond instead of the server. */
  request?(request: PassingRequest): void | Partial<Pick<PassingAnswer, 'status' | 'body'>>
  answer?(answer: PassingAnswer, request: PassingRequest): void
  /** Replaces each event of a watch with the returned ones. */
  event?(event: Json): Json[]
}

/** A proxy between a client and a server that changes requests and responses. */
export class TamperingProxy {
  tamper: Tamper = {}
  readonly #target: string
  readonly #server = createServer((request, response) => {
    this.#pass(request, response).catch(() => response.destroy())
  })

  constructor(target: string) {
    this.#target = target
  }
  async listen(): Promise<string> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }
  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise(resolve => this.#server.close(resolve))
  }

  async #pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { tamper } = this
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const headers = withoutFraming(incoming.headers as Record<string, string>)
    const request = withJson({
      method: incoming.method ?? 'GET',
      url: new URL(incoming.url ?? '/', this.#target),
      headers: { ...headers, 'accept-encoding': 'identity' },
      body: Buffer.concat(chunks),
    })
    const instead = tamper.request?.(request)
    if (instead) {
      response.writeHead(instead.status ?? 200, { 'content-type': 'application/json' })
      response.end(instead.body ?? '{}')
      return
    }
    const ended = new AbortController()
    response.once('close', () => ended.abort())
    const real = await fetch(request.url, {
      method: request.method,
      headers: request.headers,
      signal: ended.signal,
      ...(request.body.length > 0 && request.method !== 'GET' ? { body: request.body } : {}),
    })
    if (request.url.searchParams.has('watch')) return this.#stream(real, response, tamper)
    const answer = withJson({
      status: real.status,
      headers: withoutFraming(Object.fromEntries(real.headers)),
      body: Buffer.from(await real.arrayBuffer()),
    })
    tamper.answer?.(answer, request)
    response.writeHead(answer.status, answer.headers)
    response.end(answer.body)
  }

  async #stream(real: Response, response: ServerResponse, { event: change = one => [one] }: Tamper): Promise<void> {
    response.writeHead(real.status, { 'content-type': real.headers.get('content-type') ?? '' })
    response.flushHeaders()
    const input = Readable.fromWeb(real.body as never)
    for await (const line of createInterface({ input }))
      for (const event of change(JSON.parse(line))) response.write(`${JSON.stringify(event)}\n`)
    response.end()
  }
}

/** Headers without those that belong to one connection. */
const withoutFraming = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !framing.includes(name)))
const framing = ['host', 'connection', 'keep-alive', 'content-length', 'transfer-encoding']

function withJson<T extends { body: Buffer }>(passing: T) {
  return Object.assign(passing, {
    changeJson(change: (value: Json) => void) {
      const value = JSON.parse(passing.body.toString())
      change(value)
      passing.body = Buffer.from(JSON.stringify(value))
    },
  })
}

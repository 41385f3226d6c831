import type { ClientRequest, IncomingMessage } from 'node:http'
import { Agent, type RequestOptions, request as send } from 'node:https'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { timedOut, tooManyRequests } from 'orch/sdk'
import type { ServiceAddresses, ServiceTarget } from 'orch/sdk/admission'
import { trustOnly } from 'orch/sdk/client'
import type { ApiDelegate, DelegatedRequest } from 'orch/sdk/server'
import { type APIService, availableOf } from '../api-services/schema.js'
import { headersFor, headersOf } from './proxy-headers.js'

/** The dependencies and limits of requests to extension servers. */
export interface ProxyParts {
  readonly addresses: ServiceAddresses
  /** The client certificate of this server, read for every connection. */
  credentials(): { readonly cert?: string; readonly key?: string }
  /** Whether requests carry the UID of the user. */
  readonly sendsUids: boolean
  /** Maximum number of concurrent requests to one extension server, watches included. */
  readonly maxRequests: number
  readonly connectTimeoutMs: number
}

const idleConnectionMs = 30_000
const documentTimeoutMs = 10_000
/** Larger than the OpenAPI document of this whole server. */
const maxDocumentBytes = 16 * 1024 * 1024
/** Interval of TCP keep-alive probes, which detect a dead connection. */
const probeEveryMs = 30_000

/** A document that has not changed since it was last read has no text. */
export interface FetchedDocument {
  readonly isUnchanged: boolean
  readonly text: string | undefined
}

/** Safe methods: a request can be repeated without changing anything. */
const repeatable: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

interface Address {
  readonly host: string
  readonly port: number
}

/** The server behind an APIService. Proxies requests to it, and its responses to the client. */
export class ExtensionServer implements ApiDelegate {
  readonly #parts: ProxyParts
  readonly #service: ServiceTarget
  readonly #tls: RequestOptions
  readonly #agent = new Agent({ keepAlive: true, maxFreeSockets: 32, timeout: idleConnectionMs })
  readonly #open = new Set<ClientRequest>()
  /** Of documents, by path. */
  readonly #etags = new Map<string, string>()
  isAvailable: boolean

  constructor(parts: ProxyParts, apiService: APIService) {
    const { service, caBundle, insecureSkipTLSVerify = false } = apiService.spec
    const { namespace = '', name = '', port = 443 } = service ?? {}
    this.#parts = parts
    this.#service = { namespace, name, port }
    const trust = caBundle ? trustOnly(Buffer.from(caBundle, 'base64').toString('utf8')) : {}
    // The certificate is issued for the name of the Service, whatever its address.
    this.#tls = { servername: this.#serverName, rejectUnauthorized: !insecureSkipTLSVerify, ...trust }
    this.isAvailable = availableOf(apiService)?.status === 'True'
  }

  #headersFor(request: DelegatedRequest) {
    return headersFor(request, this.#serverName, this.#parts.sendsUids)
  }

  /** Aborts all requests in flight. */
  close(): void {
    for (const request of this.#open) request.destroy()
    this.#agent.destroy()
  }

  async answer(request: DelegatedRequest): Promise<void> {
    if (!this.isAvailable) return request.send(503, 'service unavailable')
    if (this.#open.size >= this.#parts.maxRequests)
      throw tooManyRequests('Too many requests to this extension server, please try again later.', 1)
    const address = await this.#parts.addresses.resolve(this.#service).catch(() => undefined)
    if (!address) return request.send(503, 'service unavailable')
    if (request.signal.aborted) return
    const withBody = hasBody(request)
    const first = await this.#attempt(request, address, withBody)
    // The server may close a keep-alive connection just as it is reused; whether it received the request is unknown.
    const mayRepeat = first instanceof LostConnection && !withBody && repeatable.has(request.method)
    const failure = mayRepeat ? await this.#attempt(request, address, false) : first
    if (failure === undefined || request.signal.aborted) return
    if (failure instanceof TimeoutExceeded) throw timedOut('the extension server did not answer in time', {})
    request.send(503, `error trying to reach service: ${failure.message}`)
  }

  /** Resolves when the response has been sent; with an error if there is none. */
  async #attempt(request: DelegatedRequest, address: Address, withBody: boolean): Promise<Error | undefined> {
    const outgoing = this.#send(address, request.method, request.url, this.#headersFor(request))
    const end = () => outgoing.destroy()
    request.signal.addEventListener('abort', end, { once: true })
    const stopTimers = this.#limitTime(outgoing, request.isLongRunning ? undefined : request.timeLeftMs())
    try {
      const answered = answerTo(outgoing, request.asksForUpgrade ? request.headers.upgrade : undefined)
      // An error of the body ends the request, so that waiting for the response ends as well.
      if (withBody) pipeline(request.body(), outgoing).catch(error => outgoing.destroy(error))
      else outgoing.end()
      const answer = await answered
      if (answer instanceof Error) return outgoing.reusedSocket ? new LostConnection(answer.message) : answer
      const { response, connection } = answer
      if (connection) await join(request.switchProtocols(headersOf(response, true)), connection)
      else await request.stream(response.statusCode ?? 502, headersOf(response, false), response)
      return undefined
    } finally {
      stopTimers()
      request.signal.removeEventListener('abort', end)
    }
  }

  #send({ host, port }: Address, method: string, path: string, headers: RequestOptions['headers']): ClientRequest {
    const tls = { ...this.#tls, ...this.#parts.credentials() }
    const outgoing = send({ agent: this.#agent, ...tls, host, port, method, path, headers: headers ?? {} })
    this.#open.add(outgoing)
    outgoing.once('close', () => this.#open.delete(outgoing))
    return outgoing
  }

  /** The response body of the extension server to a request of this server itself; undefined if it has none. */
  async read(path: string, headers: Record<string, string | string[]>): Promise<string | undefined> {
    const { status, text } = await this.#fetch(path, headers)
    return status === 200 ? text : undefined
  }
  /** Like `read`, but a document that has not changed since the last time is not sent again. */
  async readDocument(path: string, headers: Record<string, string | string[]>): Promise<FetchedDocument> {
    const known = this.#etags.get(path)
    const conditional = known === undefined ? headers : { ...headers, 'if-none-match': known }
    const { status, etag, text } = await this.#fetch(path, conditional)
    if (status === 304 && known !== undefined) return { isUnchanged: true, text: undefined }
    if (status === 200 && etag !== undefined) this.#etags.set(path, etag)
    else this.#etags.delete(path)
    return { isUnchanged: false, text: status === 200 ? text : undefined }
  }
  async #fetch(path: string, headers: Record<string, string | string[]>) {
    const address = await this.#parts.addresses.resolve(this.#service)
    const outgoing = this.#send(address, 'GET', path, { host: this.#serverName, ...headers })
    const stopTimers = this.#limitTime(outgoing, documentTimeoutMs)
    try {
      const answered = answerTo(outgoing)
      outgoing.end()
      const answer = await answered
      if (answer instanceof Error) throw answer
      const chunks: Buffer[] = []
      let size = 0
      for await (const chunk of answer.response as AsyncIterable<Buffer>) {
        size += chunk.length
        if (size > maxDocumentBytes) throw new Error(`the document is larger than ${maxDocumentBytes} bytes`)
        chunks.push(chunk)
      }
      const { statusCode: status, headers: received } = answer.response
      return { status, etag: received.etag, text: Buffer.concat(chunks).toString('utf8') }
    } finally {
      stopTimers()
    }
  }

  get #serverName(): string {
    return `${this.#service.name}.${this.#service.namespace}.svc`
  }

  /** A request other than a watch ends when its timeout expires. Connecting always has a timeout of its own. */
  #limitTime(outgoing: ClientRequest, timeMs: number | undefined): () => void {
    const { connectTimeoutMs } = this.#parts
    const connecting = setTimeout(
      () => outgoing.destroy(new Error(`no connection within ${connectTimeoutMs / 1000} s`)),
      connectTimeoutMs,
    )
    const connected = () => clearTimeout(connecting)
    outgoing.once('socket', socket => {
      socket.setKeepAlive(true, probeEveryMs)
      if (socket.connecting) socket.once('secureConnect', connected)
      else connected()
    })
    const late = () => outgoing.destroy(new TimeoutExceeded('timed out'))
    const all = timeMs === undefined ? undefined : setTimeout(late, Math.max(0, timeMs))
    return () => {
      clearTimeout(connecting)
      clearTimeout(all)
    }
  }
}

class TimeoutExceeded extends Error {}
class LostConnection extends Error {}

interface Answer {
  readonly response: IncomingMessage
  /** Set once the connection was upgraded to another protocol. */
  readonly connection?: Duplex
}

/** Never rejects, since nothing may be awaiting it when a connection breaks. An upgrade is accepted only to the requested protocol. */
function answerTo(outgoing: ClientRequest, protocol?: string): Promise<Answer | Error> {
  return new Promise(resolve => {
    outgoing.once('response', response => resolve({ response }))
    outgoing.once('upgrade', (response, socket, head) => {
      if (protocol === undefined || response.headers.upgrade?.toLowerCase() !== protocol.toLowerCase()) {
        socket.destroy()
        return resolve(new Error('it switched to a protocol that was not requested'))
      }
      if (head.length > 0) socket.unshift(head)
      resolve({ response, connection: socket })
    })
    // The reader of the response sees a broken connection as its end.
    outgoing.on('error', resolve)
    outgoing.once('close', () => resolve(new Error('the connection was closed')))
  })
}

const hasBody = ({ method, headers }: DelegatedRequest): boolean =>
  headers['transfer-encoding'] !== undefined ||
  Number(headers['content-length'] ?? 0) > 0 ||
  (method !== 'GET' && method !== 'HEAD' && headers['content-length'] === undefined && headers.upgrade === undefined)

/** Pipes both sides into each other until one of them closes. */
function join(client: Duplex, server: Duplex): Promise<void> {
  return new Promise(resolve => {
    const end = () => {
      client.destroy()
      server.destroy()
      resolve()
    }
    for (const side of [client, server]) side.on('error', end).on('close', end)
    client.pipe(server).pipe(client)
  })
}

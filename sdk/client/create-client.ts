import type { Clock } from '../plugin/basic-services.js'
import { pathNotFound } from '../resource/api-errors.js'
import type { TypedResource } from '../resource/resource.js'
import type { Client, ResourceClient, ResourceRef, Transport, TransportRequest, TransportResponse } from './client.js'
import { errorFromAnswer } from './error-answers.js'
import { discoverKinds, type KindInfo, type Kinds } from './kinds.js'
import { readText } from './read-text.js'
import { type Caller, CollectionClient } from './resource-client.js'
import { type RetryLimits, retryAfterSeconds, retryingTransport, usualRetries } from './retrying-transport.js'
import { unlessAborted, waitingClock } from './waiting.js'

/** One entry of a Warning header: code, agent, and a quoted text in which a backslash escapes the next character. */
const entry = /\b(\d{3}) \S+ "((?:[^"\\]|\\.)*)"/g

/** The texts of the warnings (code 299) of a response. */
function warningTexts(headers: TransportResponse['headers']): string[] {
  return [headers['warning'] ?? []]
    .flat()
    .flatMap(value => [...value.matchAll(entry)])
    .filter(match => match[1] === '299')
    .map(match => (match[2] ?? '').replace(/\\(.)/g, '$1'))
}

/** A transport that keeps connections open. */
export type ClosableTransport = Transport & { close(): Promise<void> }

/** The parts and settings of a client. */
export interface ClientOptions {
  readonly transport: Transport | ClosableTransport
  /** For waiting between attempts; real time by default. */
  readonly clock?: Clock
  /** The name of the program; the part before the first `/` is the default field manager. */
  readonly userAgent?: string
  readonly retries?: Partial<RetryLimits>
  /** The client that watches collections for this one, for informers that several clients share. */
  readonly follower?: Client
  /** Called with every warning in a response. */
  onWarning?(text: string): void
}

/** The API over any transport: HTTP (`httpTransport`), or directly into a server in this process. */
export function createClient(options: ClientOptions): Client {
  const { transport } = options
  const caller = new TransportCaller(options)
  return {
    resource: <T, Sent>(ref: ResourceRef): ResourceClient<T, Sent> => new CollectionClient<T, Sent>(caller, ref),
    of<T, Sent>({ group, resource, kind, versions }: TypedResource<T, Sent>): ResourceClient<T, Sent> {
      const version = versions.find(one => one.served !== false)?.name ?? ''
      return new CollectionClient<T, Sent>(caller, { group, version, resource }, kind)
    },
    request: request => caller.call(request),
    ...(options.follower === undefined ? {} : { follower: options.follower }),
    kinds: ({ fresh = false } = {}) => caller.kinds(fresh),
    close: async () => {
      if ('close' in transport) await transport.close()
    },
  }
}

class TransportCaller implements Caller {
  readonly clock: Clock
  readonly #options: ClientOptions
  readonly #transport: Transport
  #kinds: Promise<Kinds> | undefined
  constructor(options: ClientOptions) {
    this.clock = options.clock ?? waitingClock
    this.#options = options
    this.#transport = retryingTransport(options.transport, this.clock, { ...usualRetries, ...options.retries })
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const { userAgent, onWarning } = this.#options
    const headers: Record<string, string> = { accept: 'application/json' }
    if (userAgent !== undefined) headers['user-agent'] = userAgent
    for (const [name, value] of Object.entries(request.headers)) headers[name.toLowerCase()] = value
    const response = await unlessAborted(this.#transport({ ...request, headers }), request.signal)
    if (onWarning) for (const text of warningTexts(response.headers)) onWarning(text)
    if (response.status < 400) return response
    const text = await readText(response.body)
    throw errorFromAnswer(response.status, text, retryAfterSeconds(response, this.clock.now()))
  }
  async call<A>(request: TransportRequest): Promise<A> {
    const response = await this.send(request)
    const text = await readText(response.body)
    const isJson = /\bjson\b/.test(String(response.headers['content-type'] ?? ''))
    return (isJson ? JSON.parse(text) : text) as A
  }
  async preferredVersion(group: string, resource: string): Promise<string> {
    const known = (await this.kinds(false)).findResource(group, resource)
    // The type may have been added since.
    const found = known ?? (await this.kinds(true)).findResource(group, resource)
    if (found === undefined) throw pathNotFound()
    return found.version
  }
  async kindOf(group: string, version: string, resource: string): Promise<string | undefined> {
    const isNamed = (one: KindInfo) => one.group === group && one.version === version && one.resource === resource
    const known = (await this.kinds(false)).all.find(isNamed)
    return (known ?? (await this.kinds(true)).all.find(isNamed))?.kind
  }
  kinds(fresh: boolean): Promise<Kinds> {
    if (fresh || this.#kinds === undefined) {
      const asked = discoverKinds(path => this.call({ method: 'GET', path, headers: {} }))
      this.#kinds = asked
      asked.catch(() => {
        if (this.#kinds === asked) this.#kinds = undefined
      })
    }
    return this.#kinds
  }
}

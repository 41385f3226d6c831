import {
  type ChannelCredentials,
  type ChannelOptions,
  Client,
  type ClientDuplexStream,
  credentials,
  Metadata,
  type ServiceError,
} from '@grpc/grpc-js'
import { StorageError } from 'orch/sdk/host'
import { isOutage, isTlsRefusal, isUnanswered, isUnsent, storageErrorFrom } from './etcd-errors.js'
import type { TlsOptions } from './http2-connection.js'
import { type Method, methods, type WatchRequest, type WatchResponse } from './protocol.js'
import { UnaryChannel } from './unary-channel.js'

export interface TlsFiles {
  readonly ca?: Buffer
  readonly certificate?: Buffer
  readonly key?: Buffer
}

/** How long to wait for etcd. */
interface Patience {
  /** For one answer of one member. */
  readonly attemptMs: number
  /**
   * The time after which the caller gets an error because etcd does not respond. An attempt in progress is waited for.
   */
  readonly totalMs: number
}
/** etcd itself gives up after about 7 s, and a write that may have been executed is worth waiting for. */
const patient: Patience = { attemptMs: 8000, totalMs: 20_000 }
/** A client waits for a read: an election is over by then, a member that halted will not answer. */
const forReads: Patience = { attemptMs: 3000, totalMs: 8000 }
/** No member answered its last request: requests only find out whether one of them is back. */
const duringOutage: Patience = { attemptMs: 1000, totalMs: 1000 }
const pauseMs = 100

/** Maximum size of a page of a list: the default limit of gRPC. If a page exceeds it, fewer objects are requested. */
const maxPageBytes = 4 * 2 ** 20

const channelOptions: ChannelOptions = {
  // An unreachable member is detected within 15 s. etcd allows a ping every 5 s.
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 5000,
  // A single object, or the response to a write, may be as large as etcd allows.
  'grpc.max_receive_message_length': -1,
  'grpc.max_send_message_length': -1,
  'grpc.initial_reconnect_backoff_ms': 200,
  'grpc.max_reconnect_backoff_ms': 2000,
}

interface AttemptOptions {
  readonly attemptMs: number
  readonly isPage?: boolean
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export type WatchCall = ClientDuplexStream<WatchRequest, WatchResponse>

interface Member {
  /** For unary requests. */
  readonly channel: UnaryChannel
  /** For watches. Both connect on first use. */
  readonly client: Client
  /** For pages of lists: a separate channel, because the size limit is a property of the channel. */
  readonly pages: Client
}

/**
 * The connections to the members of a cluster. One member is used until it fails, then the next. The package etcd3 is not used
 * because it has its own retry rules, and a write may be retried only if it certainly was not executed.
 */
export class Connection {
  readonly #members: readonly Member[]
  readonly #patience: Patience
  #current = 0
  /** The members whose last request was not answered in time. */
  readonly #silent = new Set<number>()
  #isClosed = false
  #lastOutage: string | undefined

  /** `limitMs` is how long a member may take to answer once. */
  constructor(servers: readonly string[], tls: TlsFiles, limitMs?: number) {
    if (servers.length === 0) throw new StorageError('unavailable', 'the etcd engine needs --etcd-servers')
    this.#members = servers.map(server => {
      const { address, isSecure } = parseServer(server)
      const open = (options: ChannelOptions) => new Client(address, credentialsFor(isSecure, tls), options)
      const limited = { ...channelOptions, 'grpc.max_receive_message_length': maxPageBytes }
      const channel = new UnaryChannel({ ...addressOf(address, isSecure), tls: isSecure ? tlsOptions(tls) : undefined })
      return { channel, client: open(channelOptions), pages: open(limited) }
    })
    this.#patience = limitMs === undefined ? patient : { ...patient, attemptMs: limitMs }
    // Spreads the servers of one API over the members.
    this.#current = Math.floor(Math.random() * this.#members.length)
  }

  /**
   * Sends an idempotent request: a read, or a transaction whose guard makes a second execution fail. The response to the request
   * for a page is limited in size, see `isAnswerTooLarge`.
   */
  ask<Request, Response>(method: Method<Request, Response>, request: Request): Promise<Response> {
    return this.#ask(method, request, this.#patience, false)
  }

  /** As `ask`, for a waiting client, which gets the error sooner. */
  askForClient<Request, Response>(
    method: Method<Request, Response>,
    request: Request,
    isPage: boolean,
  ): Promise<Response> {
    return this.#ask(method, request, this.#isOutage ? duringOutage : forReads, isPage)
  }

  async #ask<Request, Response>(
    method: Method<Request, Response>,
    request: Request,
    { attemptMs, totalMs }: Patience,
    isPage: boolean,
  ): Promise<Response> {
    const until = performance.now() + totalMs
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(method, request, { attemptMs, isPage })
      } catch (error) {
        const isHopeless = isTlsRefusal(error) && attempt >= this.#members.length
        if (!isOutage(error) || isHopeless || performance.now() > until || this.#isClosed) throw error
        // Every member has had its time.
        if (this.#isOutage && attempt >= this.#members.length && attemptMs <= forReads.attemptMs) throw error
        await new Promise(resolve => setTimeout(resolve, pauseMs))
      }
    }
  }

  /** Sends a request that is not idempotent. Another member is tried only if this one certainly did not receive it. */
  async askOnce<Request, Response>(
    method: Method<Request, Response>,
    request: Request,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      try {
        const attemptMs = this.#isOutage ? forReads.attemptMs : this.#patience.attemptMs
        return await this.#attempt(method, request, { attemptMs, headers })
      } catch (error) {
        if (!isUnsent(error) || attempt > 2 * this.#members.length || this.#isClosed) throw error
        await new Promise(resolve => setTimeout(resolve, pauseMs))
      }
    }
  }

  /** Makes one attempt on the current member. After an outage the next request goes to another member. */
  once<Request, Response>(method: Method<Request, Response>, request: Request): Promise<Response> {
    return this.#attempt(method, request, { attemptMs: this.#patience.attemptMs })
  }

  async #attempt<Request, Response>(
    method: Method<Request, Response>,
    request: Request,
    { attemptMs, isPage = false, headers }: AttemptOptions,
  ): Promise<Response> {
    if (this.#isClosed) throw new StorageError('unavailable', 'the store is closed')
    const member = this.#current
    const { channel, pages } = this.#members[member]!
    try {
      const response = isPage
        ? await askPage(pages, method, request, attemptMs)
        : method.deserialize(await channel.request(method.path, method.serialize(request), attemptMs, headers))
      this.#silent.delete(member)
      return response
    } catch (error) {
      if (isUnanswered(error)) this.#silent.add(member)
      else this.#silent.delete(member)
      if (isOutage(error)) {
        this.#lastOutage = error.details
        this.#leave(member)
      }
      throw error
    }
  }

  /** Why the last attempt that failed did so. */
  get lastOutage(): string | undefined {
    return this.#lastOutage
  }

  get #isOutage(): boolean {
    return this.#silent.size === this.#members.length
  }

  /** Opens a stream for watches. It ends when its member loses quorum, so that another member can be used. */
  watchCall(): { call: WatchCall; failed: () => void } {
    const member = this.#current
    const { path, serialize, deserialize } = methods.watch
    const metadata = new Metadata()
    metadata.set('hasleader', 'true')
    const call = this.#members[member]!.client.makeBidiStreamRequest(path, serialize, deserialize, metadata)
    return { call, failed: () => this.#leave(member) }
  }

  close(): void {
    this.#isClosed = true
    for (const { channel, client, pages } of this.#members) for (const each of [channel, client, pages]) each.close()
  }

  #leave(member: number): void {
    if (this.#current === member) this.#current = (member + 1) % this.#members.length
  }
}

/** As `ask`, but rejects with a StorageError. */
export async function read<Request, Response>(
  connection: Connection,
  method: Method<Request, Response>,
  request: Request,
): Promise<Response> {
  try {
    return await connection.ask(method, request)
  } catch (error) {
    throw storageErrorFrom(error)
  }
}

function parseServer(server: string): { address: string; isSecure: boolean } {
  const [, scheme = 'http', address = ''] = /^(?:(https?):\/\/)?([^/]+)\/?$/.exec(server) ?? []
  if (address === '')
    throw new StorageError('unavailable', `--etcd-servers: "${server}" is not the address of a server`)
  return { address, isSecure: scheme === 'https' }
}

function addressOf(address: string, isSecure: boolean): { host: string; port: number } {
  const { hostname, port } = new URL(`${isSecure ? 'https' : 'http'}://${address}`)
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (isSecure ? 443 : 80)) }
}

function askPage<Request, Response>(
  client: Client,
  { path, serialize, deserialize }: Method<Request, Response>,
  request: Request,
  attemptMs: number,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const answered = (error: ServiceError | null, response?: Response) =>
      error === null && response !== undefined ? resolve(response) : reject(error)
    const deadline = Date.now() + attemptMs
    client.makeUnaryRequest(path, serialize, deserialize, request, new Metadata(), { deadline }, answered)
  })
}

const tlsOptions = ({ ca, certificate, key }: TlsFiles): TlsOptions => ({
  ...(ca ? { ca } : {}),
  ...(certificate ? { cert: certificate } : {}),
  ...(key ? { key } : {}),
})
const credentialsFor = (isSecure: boolean, { ca, certificate, key }: TlsFiles): ChannelCredentials =>
  isSecure ? credentials.createSsl(ca ?? null, key ?? null, certificate ?? null) : credentials.createInsecure()

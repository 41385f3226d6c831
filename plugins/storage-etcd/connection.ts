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
import { isOutage, isTlsRefusal, isUnsent, storageErrorFrom } from './etcd-errors.js'
import type { TlsOptions } from './http2-connection.js'
import { type Method, methods, type WatchRequest, type WatchResponse } from './protocol.js'
import { UnaryChannel } from './unary-channel.js'

export interface TlsFiles {
  readonly ca?: Buffer
  readonly certificate?: Buffer
  readonly key?: Buffer
}

/** A member answers within seconds or not at all; etcd itself gives up after about 7. */
const attemptMs = 8000
const totalMs = 20_000
const pauseMs = 100

/** What an answer with many objects may have; the usual limit of gRPC. Whoever asks for more asks again, for fewer objects. */
const maxPageBytes = 4 * 2 ** 20

const channelOptions: ChannelOptions = {
  // A member that vanished without a word is noticed in 15 s. etcd allows a ping every 5 s.
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 5000,
  // One object, or what came of one write, may be as large as etcd lets it be.
  'grpc.max_receive_message_length': -1,
  'grpc.max_send_message_length': -1,
  'grpc.initial_reconnect_backoff_ms': 200,
  'grpc.max_reconnect_backoff_ms': 2000,
}

export type WatchCall = ClientDuplexStream<WatchRequest, WatchResponse>

interface Member {
  /** For requests with one answer. */
  readonly channel: UnaryChannel
  /** For watches. Both connect when they are first used. */
  readonly client: Client
  /** A channel of its own, because its limit belongs to a channel. */
  readonly pages: Client
}

/**
 * The members of a cluster. One is used until it fails, then the next. Not the package etcd3: it retries by rules of its
 * own, and a write may be sent again only when it certainly was not carried out.
 */
export class Connection {
  readonly #members: readonly Member[]
  #current = 0
  #isClosed = false

  constructor(servers: readonly string[], tls: TlsFiles) {
    if (servers.length === 0) throw new StorageError('unavailable', 'the etcd engine needs --etcd-servers')
    this.#members = servers.map(server => {
      const { address, isSecure } = parseServer(server)
      const open = (options: ChannelOptions) => new Client(address, credentialsFor(isSecure, tls), options)
      const limited = { ...channelOptions, 'grpc.max_receive_message_length': maxPageBytes }
      const channel = new UnaryChannel({ ...addressOf(address, isSecure), tls: isSecure ? tlsOptions(tls) : undefined })
      return { channel, client: open(channelOptions), pages: open(limited) }
    })
    // Servers of one API spread over the members.
    this.#current = Math.floor(Math.random() * this.#members.length)
  }

  /**
   * A request that may be sent twice without harm: reads, and transactions whose guard stops a second one. The answer to one
   * for a page is bounded, see `isAnswerTooLarge`.
   */
  async ask<Request, Response>(method: Method<Request, Response>, request: Request, isPage = false): Promise<Response> {
    const until = Date.now() + totalMs
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.once(method, request, isPage)
      } catch (error) {
        const isHopeless = isTlsRefusal(error) && attempt >= this.#members.length
        if (!isOutage(error) || isHopeless || Date.now() > until || this.#isClosed) throw error
        await new Promise(resolve => setTimeout(resolve, pauseMs))
      }
    }
  }

  /** A request that must not be sent twice; another member is tried only when this one cannot have got it. */
  async askOnce<Request, Response>(
    method: Method<Request, Response>,
    request: Request,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.once(method, request, false, headers)
      } catch (error) {
        if (!isUnsent(error) || attempt > 2 * this.#members.length || this.#isClosed) throw error
        await new Promise(resolve => setTimeout(resolve, pauseMs))
      }
    }
  }

  /** One attempt, on the member that is used now. After an outage the next request goes to another one. */
  async once<Request, Response>(
    method: Method<Request, Response>,
    request: Request,
    isPage = false,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response> {
    if (this.#isClosed) throw new StorageError('unavailable', 'the store is closed')
    const member = this.#current
    const { channel, pages } = this.#members[member]!
    try {
      if (isPage) return await askPage(pages, method, request)
      return method.deserialize(await channel.request(method.path, method.serialize(request), attemptMs, headers))
    } catch (error) {
      if (isOutage(error)) this.#leave(member)
      throw error
    }
  }

  /** A stream for watches. It ends when its member loses the majority, so that another one can be asked. */
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

/** As `ask`, with the errors of the store. */
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
  if (address === '') throw new StorageError('unavailable', `--etcd-servers: "${server}" is no address of a server`)
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

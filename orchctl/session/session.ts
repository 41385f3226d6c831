import { Vendor, vendorProfiles } from 'orch/sdk'
import {
  type Client,
  type ClientOptions,
  type Connection,
  connectionFromConfig,
  createClient,
  errorFromAnswer,
  type HttpTransportConfig,
  httpTransport,
  type KindInfo,
  type Kinds,
  loadClientConfig,
  type ResourceClient,
  type Transport,
} from 'orch/sdk/client'
import type { Flags } from '../arguments/flags.js'
import type { Terminal } from '../world.js'
import { configWithFlags } from './config-with-flags.js'
import { vendorNamed, vendorOf, vendorOfConfig, vendorOfCredentials } from './detect-vendor.js'
import { limitedTransport, requestLimitMs } from './request-limit.js'

/** A connection to a server, and what is known about it. */
export class Session {
  readonly client: Client
  /** Where objects without a namespace go. */
  readonly namespace: string
  /** Where the server is and who is asked to be there. */
  readonly connection: HttpTransportConfig
  readonly #options: ClientOptions
  readonly #wanted: Vendor | undefined
  readonly #fallback: Vendor
  /** `wanted` is the vendor somebody named; `fallback` the one to take when the server does not show its own. */
  constructor(options: ClientOptions, connection: Connection, wanted: Vendor | undefined, fallback: Vendor) {
    this.#options = options
    this.connection = connection.transport
    this.client = createClient(options)
    this.namespace = connection.namespace || 'default'
    this.#wanted = wanted
    this.#fallback = fallback
  }
  kinds(): Promise<Kinds> {
    return this.client.kinds()
  }
  /** Whose names the server uses. */
  async vendor(): Promise<Vendor> {
    return this.#wanted ?? vendorOf(await this.kinds()) ?? this.#fallback
  }
  /** The collection of a type: of one namespace, or of all when `namespace` is empty. */
  collection<T>(kind: KindInfo, namespace: string, client = this.client): ResourceClient<T> {
    const all = client.resource<T>(kind)
    return kind.namespaced && namespace !== '' ? all.in(namespace) : all
  }
  /** The same client, answered with tables where the server can make them. */
  async tables(includeObject: 'Metadata' | 'Object'): Promise<Client> {
    const own = (await this.vendor()).metaGroup
    // Servers pass over what they do not know, so every vendor may be asked for.
    const groups = new Set([own, ...Object.values(vendorProfiles).map(profile => new Vendor(profile).metaGroup)])
    const accept = [...[...groups].map(group => `application/json;as=Table;v=v1;g=${group}`), 'application/json']
    const transport: Transport = request =>
      this.#options.transport({
        ...request,
        path: `${request.path}${request.path.includes('?') ? '&' : '?'}includeObject=${includeObject}`,
        headers: { ...request.headers, accept: accept.join(',') },
      })
    return createClient({ ...this.#options, transport })
  }
  /** The answer to a GET as it arrives, which may never end. */
  async *stream(path: string, signal: AbortSignal): AsyncGenerator<Buffer> {
    const { transport, userAgent = '' } = this.#options
    const headers = { accept: '*/*', 'user-agent': userAgent }
    const { status, body } = await transport({ method: 'GET', path, headers, signal })
    if (status < 400) return yield* body
    const chunks: Buffer[] = []
    for await (const chunk of body) chunks.push(chunk)
    throw errorFromAnswer(status, Buffer.concat(chunks).toString('utf8'))
  }
  close(): Promise<void> {
    return this.client.close()
  }
}

/** Connects as flags, environment and client config say. No request is made yet. */
export async function openSession(flags: Flags, world: Terminal, version: string): Promise<Session> {
  const { environment } = world
  const wish = flags.text('vendor')
  const wanted = wish === undefined ? undefined : vendorNamed(wish)
  const ofFiles = wanted ?? vendorOfConfig(environment)
  const path = flags.text('config')
  const config = configWithFlags(await loadClientConfig({ vendor: ofFiles, environment, path }), flags)
  const vendor = wanted ?? vendorOfCredentials(config) ?? ofFiles
  const user = flags.text('as')
  const connection = await connectionFromConfig(config, {
    vendor,
    environment,
    context: flags.text('context'),
    cluster: flags.text('cluster'),
    user: flags.text('user'),
    namespace: flags.text('namespace'),
    // Who reads a manifest from standard input cannot answer questions of a credential plugin there.
    ...(flags.list('filename').includes('-') ? { isTerminal: false } : {}),
    ...(user === undefined ? {} : { impersonate: { user, groups: flags.list('as-group') } }),
  })
  const transport = httpTransport(connection.transport)
  const limitMs = requestLimitMs(flags)
  const options: ClientOptions = {
    // Who says how long a request may take wants to know after that time, and not after several attempts.
    ...(limitMs > 0 ? { transport: limitedTransport(transport, limitMs), retries: { lost: 0 } } : { transport }),
    userAgent: `orchctl/${version}`,
    onWarning: text => world.tell(`${world.paint.doubtful('Warning:')} ${text}`),
  }
  return new Session(options, connection, wanted, ofFiles)
}

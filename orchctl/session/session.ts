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
  type Impersonation,
  type KindInfo,
  type Kinds,
  loadClientConfig,
  type ResourceClient,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from 'orch/sdk/client'
import type { Flags } from '../arguments/flags.js'
import type { Terminal } from '../terminal.js'
import { UsageError } from '../usage-error.js'
import { configWithFlags } from './config-with-flags.js'
import { vendorNamed, vendorOf, vendorOfConfig, vendorOfCredentials } from './detect-vendor.js'
import { oneDocumentDiscovery } from './one-document-discovery.js'
import { limitedTransport, requestLimitMs } from './request-limit.js'
import { verboseTransport } from './verbose-transport.js'

/** A connection to a server, with its types and its vendor. */
export class Session {
  readonly client: Client
  /** The default namespace of objects. */
  readonly namespace: string
  /** The address and credentials of the server. */
  readonly connection: HttpTransportConfig
  /** How many warnings the server has sent. */
  warnings = 0
  readonly #options: ClientOptions
  readonly #discovery: Client
  readonly #wanted: Vendor | undefined
  readonly #fallback: Vendor
  /** `wanted` is the vendor from the command line; `fallback` is used if the vendor of the server cannot be detected. */
  constructor(options: ClientOptions, connection: Connection, wanted: Vendor | undefined, fallback: Vendor) {
    this.#options = options
    this.connection = connection.transport
    this.client = createClient(options)
    this.#discovery = createClient({ ...options, transport: oneDocumentDiscovery(options.transport) })
    this.namespace = connection.namespace || 'default'
    this.#wanted = wanted
    this.#fallback = fallback
  }
  get userAgent(): string {
    return this.#options.userAgent ?? ''
  }
  /** The same session in another namespace. */
  inNamespace(namespace: string): Session {
    const connection = { transport: this.connection, contextName: '', namespace }
    return new Session(this.#options, connection, this.#wanted, this.#fallback)
  }
  /** Sends a request unchanged and returns the response, even if it is an error. */
  send(request: TransportRequest): Promise<TransportResponse> {
    return this.#options.transport(request)
  }
  kinds(): Promise<Kinds> {
    return this.#discovery.kinds()
  }
  /** The vendor of the server. */
  async vendor(): Promise<Vendor> {
    return this.#wanted ?? vendorOf(await this.kinds()) ?? this.#fallback
  }
  /** The collection of a type: in one namespace, or in all if `namespace` is empty. */
  collection<T>(kind: KindInfo, namespace: string, client = this.client): ResourceClient<T> {
    const all = client.resource<T>(kind)
    return kind.namespaced && namespace !== '' ? all.in(namespace) : all
  }
  /** The same client, but requesting tables where the server supports them. */
  async tables(includeObject: 'Metadata' | 'Object'): Promise<Client> {
    const own = (await this.vendor()).metaGroup
    // Servers ignore unknown media types, so those of all vendors are requested.
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
  /** Streams the response to a GET request. */
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

/** Creates a session from flags, environment and client config. No request is sent yet. */
export async function openSession(flags: Flags, terminal: Terminal, version: string): Promise<Session> {
  const { environment } = terminal
  const vendorFlag = flags.text('vendor')
  const wanted = vendorFlag === undefined ? undefined : vendorNamed(vendorFlag)
  const ofFiles = wanted ?? vendorOfConfig(environment)
  const path = flags.text('config')
  const config = configWithFlags(await loadClientConfig({ vendor: ofFiles, environment, path }), flags)
  const vendor = wanted ?? vendorOfCredentials(config) ?? ofFiles
  const impersonate = impersonationOf(flags)
  const connection = await connectionFromConfig(config, {
    vendor,
    environment,
    context: flags.text('context'),
    cluster: flags.text('cluster'),
    user: flags.text('user'),
    namespace: flags.text('namespace'),
    // If standard input is a manifest, a credential plugin cannot prompt there.
    ...(flags.list('filename').includes('-') ? { isTerminal: false } : {}),
    ...(impersonate ? { impersonate } : {}),
  })
  const level = flags.number('v') ?? 0
  const plain = httpTransport(connection.transport)
  const transport =
    level < 6 ? plain : verboseTransport(plain, connection.transport.server, level, line => terminal.log(line))
  const limitMs = requestLimitMs(flags)
  const options: ClientOptions = {
    // With a timeout there are no retries, so that the request fails after that time.
    ...(limitMs > 0 ? { transport: limitedTransport(transport, limitMs), retries: { lost: 0 } } : { transport }),
    userAgent: `orchctl/${version}`,
    onWarning(text) {
      terminal.log(`${terminal.paint.doubtful('Warning:')} ${text}`)
      session.warnings++
    },
  }
  const session = new Session(options, connection, wanted, ofFiles)
  return session
}

function impersonationOf(flags: Flags): Impersonation | undefined {
  const user = flags.text('as')
  if (user === undefined) {
    const more = ['as-group', 'as-uid', 'as-user-extra'].find(name => flags.has(name))
    if (more !== undefined) throw new UsageError(`--${more} needs --as USER`)
    return undefined
  }
  const extra: Record<string, string[]> = {}
  for (const item of flags.list('as-user-extra')) {
    const at = item.indexOf('=')
    if (at < 1) throw new UsageError(`--as-user-extra needs KEY=VALUE, not "${item}"`)
    const key = item.slice(0, at)
    extra[key] = [...(extra[key] ?? []), item.slice(at + 1)]
  }
  const uid = flags.text('as-uid')
  return { user, groups: flags.list('as-group'), ...(uid === undefined ? {} : { uid }), extra }
}

import {
  type Client,
  type ClientOptions,
  connectionFromConfig,
  createClient,
  httpTransport,
  type KindInfo,
  type Kinds,
  loadClientConfig,
  type ResourceClient,
  type Transport,
  Vendor,
  vendorProfiles,
} from 'orch/sdk'
import type { Flags } from '../arguments/flags.js'
import type { World } from '../world.js'
import { configWithFlags } from './config-with-flags.js'
import { vendorNamed, vendorOf, vendorOfConfig, vendorOfCredentials } from './detect-vendor.js'

/** A connection to a server, and what is known about it. */
export class Session {
  readonly client: Client
  /** Where objects without a namespace go. */
  readonly namespace: string
  readonly #options: ClientOptions
  readonly #wanted: Vendor | undefined
  readonly #fallback: Vendor
  /** `wanted` is the vendor somebody named; `fallback` the one to take when the server does not show its own. */
  constructor(options: ClientOptions, namespace: string, wanted: Vendor | undefined, fallback: Vendor) {
    this.#options = options
    this.client = createClient(options)
    this.namespace = namespace
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
  close(): Promise<void> {
    return this.client.close()
  }
}

/** Connects as flags, environment and client config say. No request is made yet. */
export async function openSession(flags: Flags, world: World, version: string): Promise<Session> {
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
  const options: ClientOptions = {
    transport: httpTransport(connection.transport),
    userAgent: `orchctl/${version}`,
    onWarning: text => world.tell(`${world.paint.doubtful('Warning:')} ${text}`),
  }
  return new Session(options, connection.namespace || 'default', wanted, ofFiles)
}

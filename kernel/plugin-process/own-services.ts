import {
  type Logger,
  type Metrics,
  type Needs,
  type Resolved,
  type ServiceDefinition,
  type ServiceToken,
  services,
  type Vendor,
} from 'orch/sdk'
import { type Client, createClient } from 'orch/sdk/client'
import { type PluginDefinition, serviceNameOf } from 'orch/sdk/host'
import { type SharedWork, sharedWork } from 'orch/sdk/proposed'
import type { CallLink } from '../isolation/call-link.js'
import { DiscoveredTypes } from '../loops/discovered-types.js'
import { InformerCaches } from '../loops/informer-caches.js'
import { realClock } from '../observe/real-clock.js'
import { FollowedCaches } from './followed-caches.js'
import { LinkTransports } from './link-transport.js'
import { LinkReader, linkAuthorizer } from './server-services.js'
import { SentState } from './server-state.js'

/**
 * The services available to a plugin in a separate process. Services that give access to the server itself are not
 * among them.
 */
export class OwnServices {
  readonly transports: LinkTransports
  readonly state = new SentState()
  readonly followed: FollowedCaches
  readonly reader: LinkReader
  readonly #link: () => CallLink
  readonly #vendor: Vendor
  readonly #definition: PluginDefinition
  readonly #logger: Logger
  /** Services that the plugin makes for itself. */
  readonly #made: readonly ServiceDefinition<unknown>[]
  /** By loop; -1 stands for code outside of loops. */
  readonly #known = new Map<number, Map<ServiceToken<unknown>, unknown>>()

  constructor(
    link: () => CallLink,
    vendor: Vendor,
    definition: PluginDefinition,
    made: readonly ServiceDefinition<unknown>[],
  ) {
    this.transports = new LinkTransports(link)
    this.reader = new LinkReader(link)
    this.#link = link
    this.#vendor = vendor
    this.#definition = definition
    this.#made = made
    this.#logger = linkLogger(link, {})
    this.followed = new FollowedCaches(link, this.state.types, this.#logger)
  }

  /** Those of these needs, and of the services that they lead to, that this process does not have. */
  missingFor(needs: Needs = {}): ServiceToken<unknown>[] {
    return [...this.#reached([needs])].filter(token => !available.has(token) && !this.#isMade(token))
  }
  /** The names of all services that these needs lead to. */
  usedBy(needs: readonly (Needs | undefined)[]): string[] {
    return [...this.#reached(needs)].map(serviceNameOf)
  }

  resolve<N extends Needs>(needs: N | undefined, loop = -1): Resolved<N> {
    const known = this.#known.get(loop) ?? this.#make(loop)
    this.#known.set(loop, known)
    const resolved = Object.entries(needs ?? {}).map(([name, token]) => [name, this.#instance(token, known, loop)])
    return Object.freeze(Object.fromEntries(resolved))
  }

  #instance(token: ServiceToken<unknown>, known: Map<ServiceToken<unknown>, unknown>, loop: number): unknown {
    if (known.has(token)) return known.get(token)
    const definition = this.#made.find(each => each.token === token)
    // One instance, whoever uses it, as in the server.
    const instance = loop < 0 ? definition?.create(this.resolve(definition.needs)) : this.resolve({ token }).token
    known.set(token, instance)
    return instance
  }
  #isMade(token: ServiceToken<unknown>): boolean {
    return this.#made.some(each => each.token === token)
  }
  #reached(needs: readonly (Needs | undefined)[]): ReadonlySet<ServiceToken<unknown>> {
    const reached = new Set(needs.flatMap(each => Object.values(each ?? {})))
    // A set is visited in the order of insertion, what is added meanwhile included.
    for (const token of reached) {
      const own = this.#made.find(each => each.token === token)
      for (const next of Object.values(own?.needs ?? {})) reached.add(next)
    }
    return reached
  }

  #make(loop: number): Map<ServiceToken<unknown>, unknown> {
    const isLoop = loop >= 0
    const client = createClient({
      transport: this.transports.as(isLoop ? loop : undefined),
      clock: realClock,
      userAgent: `${this.#vendor.profile.objectPrefix}-plugin-${this.#definition.name}`,
    })
    return new Map<ServiceToken<unknown>, unknown>([
      [services.clock, realClock],
      [services.logger, this.#logger],
      [services.metrics, noMetrics],
      [services.vendor, this.#vendor],
      [services.client, client],
      [services.reader, this.reader],
      [services.authorizer, linkAuthorizer(this.#link, this.state)],
      [services.admissionConfiguration, this.state.admissionConfiguration],
      [sharedWork, ownWork],
      ...(isLoop ? this.#ofLoops(client) : this.#shared()),
    ])
  }

  #shared(): [ServiceToken<unknown>, unknown][] {
    return [
      [services.resources, this.state.types],
      [services.caches, this.followed],
    ]
  }
  /** Loops follow collections under accounts of their own. */
  #ofLoops(client: Client): [ServiceToken<unknown>, unknown][] {
    const types = new DiscoveredTypes(() => false)
    const caches = new InformerCaches({
      client,
      clock: realClock,
      logger: this.#logger,
      types: followed(types, client, this.#logger),
    })
    return [
      [services.resources, types],
      [services.caches, caches],
    ]
  }
}

const available: ReadonlySet<ServiceToken<unknown>> = new Set<ServiceToken<unknown>>([
  services.clock,
  services.logger,
  services.metrics,
  services.vendor,
  services.client,
  services.resources,
  services.caches,
  services.reader,
  services.authorizer,
  services.admissionConfiguration,
  sharedWork,
])

/** The plugin has one process for each process of the server, and its work is done here. */
const ownWork: SharedWork = {
  declare: (_, work) => async question => work(question),
}

/** Types are read from the server on first use. */
function followed(types: DiscoveredTypes, client: Client, logger: Logger): DiscoveredTypes {
  types.refresh(client).catch(error => logger.debug('types cannot be read', { error: String(error) }))
  return types
}

function linkLogger(link: () => CallLink, own: Record<string, unknown>): Logger {
  const at =
    (level: string) =>
    (message: string, fields: Record<string, unknown> = {}) =>
      link().notify('log', { level, message, fields: plain({ ...own, ...fields }) })
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: fields => linkLogger(link, { ...own, ...fields }),
  }
}
/** JSON.stringify shows nothing of an Error. */
const plain = (fields: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      value instanceof Error ? (value.stack ?? value.message) : value,
    ]),
  )

const nothing = { inc: () => {}, set: () => {}, observe: () => {} }
/** Metrics of plugin processes are not collected. */
const noMetrics: Metrics = { counter: () => nothing, gauge: () => nothing, histogram: () => nothing }

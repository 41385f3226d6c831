import {
  type Logger,
  type Metrics,
  type Needs,
  type Resolved,
  type ServiceToken,
  services,
  type Vendor,
} from 'orch/sdk'
import { type Client, createClient } from 'orch/sdk/client'
import type { PluginDefinition } from 'orch/sdk/host'
import type { CallLink } from '../isolation/call-link.js'
import { DiscoveredTypes } from '../loops/discovered-types.js'
import { InformerCaches } from '../loops/informer-caches.js'
import { realClock } from '../observe/real-clock.js'
import { LinkTransports } from './link-transport.js'

/**
 * The services available to a plugin in a separate process. Services that give access to the server itself are not
 * among them.
 */
export class OwnServices {
  readonly transports: LinkTransports
  readonly #vendor: Vendor
  readonly #plugin: string
  readonly #logger: Logger
  /** By loop; -1 stands for code outside of loops. */
  readonly #known = new Map<number, ReadonlyMap<ServiceToken<unknown>, unknown>>()

  constructor(link: () => CallLink, vendor: Vendor, { name }: PluginDefinition) {
    this.transports = new LinkTransports(link)
    this.#vendor = vendor
    this.#plugin = name
    this.#logger = linkLogger(link, {})
  }

  has(token: ServiceToken<unknown>): boolean {
    return available.has(token)
  }

  resolve<N extends Needs>(needs: N | undefined, loop = -1): Resolved<N> {
    const known = this.#known.get(loop) ?? this.#make(loop)
    this.#known.set(loop, known)
    const resolved = Object.entries(needs ?? {}).map(([name, token]) => [name, known.get(token)])
    return Object.freeze(Object.fromEntries(resolved))
  }

  #make(loop: number): ReadonlyMap<ServiceToken<unknown>, unknown> {
    const client = createClient({
      transport: this.transports.as(loop < 0 ? undefined : loop),
      clock: realClock,
      userAgent: `${this.#vendor.profile.objectPrefix}-plugin-${this.#plugin}`,
    })
    const types = new DiscoveredTypes(() => false)
    const caches = new InformerCaches({
      client,
      clock: realClock,
      logger: this.#logger,
      types: followed(types, client, this.#logger),
    })
    return new Map<ServiceToken<unknown>, unknown>([
      [services.clock, realClock],
      [services.logger, this.#logger],
      [services.metrics, noMetrics],
      [services.vendor, this.#vendor],
      [services.client, client],
      [services.resources, types],
      [services.caches, caches],
    ])
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
])

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

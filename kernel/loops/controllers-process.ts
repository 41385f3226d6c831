import { type Clock, type Logger, type Metrics, parseDuration, type ServerFacts, services } from 'orch/sdk'
import { sleep } from 'orch/sdk/client'
import { duringTerm, type LeaderTerm } from 'orch/sdk/controllers'
import type { BootedPlugins } from '../boot/boot-plugins.js'
import { BootError, errorMessage, problem } from '../contracts/boot-errors.js'
import { kernelName } from '../options/kernel-options.js'
import { ControlLoops, type TermServices } from './control-loops.js'
import { DiscoveredTypes } from './discovered-types.js'
import type { ElectionSettings } from './election-settings.js'
import { InformerCaches } from './informer-caches.js'
import { remoteServices } from './remote-services.js'
import type { ServerConnection } from './server-connection.js'

export interface ControllersProcessParts {
  readonly booted: BootedPlugins
  /** The value of --controllers, without the loops that cannot run here. */
  readonly controllers: readonly string[]
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  readonly connection: ServerConnection
  readonly facts: ServerFacts
  readonly election: ElectionSettings | undefined
}

/** The delay before a request to a server that did not respond is retried. */
const retryDelayMs = 2_000
/** How often types are refreshed: a server that was restarted with other plugins serves other types. */
const refreshTypesMs = 5_000

/** The control loops of all plugins in a separate process. */
export class ControllersProcess {
  readonly #parts: ControllersProcessParts
  readonly #types: DiscoveredTypes
  readonly #loops: ControlLoops
  readonly #closeServices: () => Promise<void>
  readonly #stop = new AbortController()
  #cancelRefresh: () => void = () => {}

  constructor(parts: ControllersProcessParts) {
    this.#parts = parts
    const { booted, connection } = parts
    // Loops need the types of the plugins of this process; others are those of extension servers, which may be down.
    const required = new Set(
      booted.registry.resources.flatMap(({ definition: { group, versions } }) =>
        versions.map(({ name }) => (group === '' ? name : `${group}/${name}`)),
      ),
    )
    this.#types = new DiscoveredTypes(groupVersion => required.has(groupVersion))
    const { root, close } = remoteServices({ ...parts, types: this.#types })
    this.#closeServices = close
    this.#loops = new ControlLoops({
      ...parts,
      registry: booted.registry,
      root,
      timeoutMs: parseDuration(booted.kernelOptions.pluginStartTimeout),
      client: connection.impatientClient,
      forTerm: term => this.#forTerm(term),
    })
  }

  /** Waits for the server without a timeout, then runs the loops or the leader election. */
  async start(): Promise<void> {
    const { connection, clock, logger } = this.#parts
    while (!this.#stop.signal.aborted) {
      try {
        await this.#types.refresh(connection.impatientClient)
        break
      } catch (error) {
        logger.warn('discovery of the server failed', {
          server: connection.server,
          error: errorMessage(error),
        })
        await sleep(clock, retryDelayMs, this.#stop.signal)
      }
    }
    if (this.#stop.signal.aborted) return
    this.#checkLeaseType()
    this.#refreshLater()
    await this.#loops.start()
  }

  /** Stops the loops, releases the lease and closes all connections. A second call is harmless. */
  async stop(): Promise<void> {
    this.#stop.abort()
    this.#cancelRefresh()
    await this.#loops.stop()
    await this.#closeServices()
    await this.#parts.connection.transport.close()
  }

  /** Treats an unhandled rejection as the failure of a loop. Throws it if none is running. */
  outlive(rejection: unknown): void {
    if (!this.#loops.restartAfter(rejection)) throw rejection
  }

  #checkLeaseType(): void {
    const { election, connection } = this.#parts
    if (election === undefined) return
    const { group, version, resource } = election.leaseRef
    if (this.#types.find(group, resource)?.servedVersions.includes(version)) return
    const why = `it needs the type ${resource}.${group}/${version}, which ${connection.server} does not serve: enable a plugin there that serves it, or set it to false`
    throw new BootError([problem('ORCH_OPTION_INVALID', { plugin: kernelName, path: 'leaderElect', why })])
  }

  async #forTerm(term: LeaderTerm): Promise<TermServices> {
    const { connection, clock, logger } = this.#parts
    const client = connection.clientOver(duringTerm(connection.transport, term))
    await this.#types.refresh(client)
    const caches = new InformerCaches({ client, clock, logger, types: this.#types })
    const ofTerm = new Map<symbol, unknown>([
      [services.client, client],
      [services.caches, caches],
    ])
    return {
      instead: () => ofTerm,
      close: () => caches.close(),
    }
  }

  #refreshLater(): void {
    this.#cancelRefresh = this.#parts.clock.after(refreshTypesMs, async () => {
      try {
        await this.#types.refresh(this.#parts.connection.impatientClient)
      } catch (error) {
        this.#parts.logger.warn('the types of the server could not be refreshed', { error: errorMessage(error) })
      }
      if (!this.#stop.signal.aborted) this.#refreshLater()
    })
  }
}

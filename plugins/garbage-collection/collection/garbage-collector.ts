import {
  type Client,
  type Clock,
  createEventRecorder,
  defineController,
  KeyWorkers,
  type Logger,
  type Metrics,
  services,
} from 'orch/sdk'
import type { GarbageCollectionNames } from '../names.js'
import { collectObject, type Outcome } from './collect-object.js'
import { CollectedTypes } from './collected-types.js'
import { followType } from './follow-type.js'
import { ForeignOwners } from './foreign-owners.js'
import { LiveObjects } from './live-objects.js'
import { OwnerGraph } from './owner-graph.js'
import { releaseAfterDependents, releaseFromDependents } from './release-owner.js'

/** Objects looked at at once. Most of the time goes into waiting for the API. */
const workers = 16

/** Removes what no owner is left for, and lets owners go when what they own is dealt with. */
export const garbageCollector = (names: GarbageCollectionNames) =>
  defineController({
    name: 'garbagecollector',
    needs: { client: services.client, clock: services.clock, logger: services.logger, metrics: services.metrics },
    async start(runtime) {
      const types = new CollectedTypes(await runtime.client.kinds({ fresh: true }), names.ignored)
      const collector = new GarbageCollector(types, runtime, names.metaGroup)
      collector.start()
      return () => collector.stop()
    },
  })

interface Runtime {
  readonly client: Client
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
}

class GarbageCollector {
  readonly #types: CollectedTypes
  readonly #runtime: Runtime
  readonly #metaGroup: string
  readonly #graph: OwnerGraph
  readonly #objects: LiveObjects
  readonly #foreign: ForeignOwners
  readonly #workers: KeyWorkers
  /** One for each type: a signal is not made for a crowd of listeners. */
  readonly #stops: AbortController[] = []
  #isStopping = false
  #following: readonly Promise<void>[] = []

  constructor(types: CollectedTypes, runtime: Runtime, metaGroup: string) {
    this.#metaGroup = metaGroup
    this.#types = types
    this.#runtime = runtime
    this.#objects = new LiveObjects(runtime.client)
    const events = createEventRecorder({ ...runtime, component: 'garbage-collector-controller' })
    this.#foreign = new ForeignOwners({ ...runtime, events, metaGroup })
    this.#workers = new KeyWorkers({ ...runtime, name: 'garbagecollector', workers, work: key => this.#lookAt(key) })
    this.#graph = new OwnerGraph({
      types,
      now: () => runtime.clock.now(),
      touch: key => this.#workers.add(key),
    })
  }

  /** Begins to follow all types. It does not wait for their first listing: a large store would delay the whole start. */
  start(): void {
    const { logger } = this.#runtime
    const seen = new Set<string>()
    let unlisted = this.#types.followed.length
    const listed = () => {
      if (--unlisted === 0) this.#begin(seen)
    }
    this.#following = this.#types.followed.map(type => {
      const stop = new AbortController()
      this.#stops.push(stop)
      const services = { ...this.#runtime, graph: this.#graph, signal: stop.signal, metaGroup: this.#metaGroup }
      return followType(type, services, seen, listed).catch(error =>
        logger.error('a type is no longer followed', { resource: type.resource, error: String(error) }),
      )
    })
  }
  async stop(): Promise<void> {
    this.#isStopping = true
    for (const stop of this.#stops) stop.abort()
    await Promise.all([this.#workers.stop(), ...this.#following])
  }

  /** Owners that were listed before the references to them need not be looked for, so work begins after all listings. */
  #begin(seen: Set<string>): void {
    for (const key of seen) this.#graph.confirm(key)
    seen.clear()
    if (!this.#isStopping) this.#workers.start()
  }

  async #lookAt(key: string): Promise<Outcome> {
    const node = this.#graph.get(key)
    if (!node || node.state === 'absent') return undefined
    const release = { objects: this.#objects, now: () => this.#runtime.clock.now() }
    if (node.state === 'claimed') {
      const live = await this.#objects.find(node)
      // A watch may have told more meanwhile than this answer knows.
      if (node.state !== 'claimed') return undefined
      if (live) this.#graph.observe(node.type, live.metadata)
      else this.#graph.vanish(node)
      return undefined
    }
    if (node.propagation === 'orphan') return releaseFromDependents(node, release)
    if (node.propagation === 'foreground') return releaseAfterDependents(node, release)
    if (node.isBeingDeleted || node.owners.size === 0) return undefined
    return collectObject(node, this.#graph, this.#objects, this.#foreign)
  }
}

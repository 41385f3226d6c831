import {
  type Clock,
  defineController,
  type GroupResource,
  type Logger,
  type Metrics,
  type ResourceCatalogue,
  services,
} from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import { createEventRecorder, KeyWorkers, loopNeeds } from 'orch/sdk/controllers'
import type { GarbageCollectionNames } from '../names.js'
import { collectObject, type Outcome } from './collect-object.js'
import { type CollectedType, CollectedTypes } from './collected-types.js'
import { followType } from './follow-type.js'
import { ForeignOwners } from './foreign-owners.js'
import { LiveObjects } from './live-objects.js'
import { OwnerGraph } from './owner-graph.js'
import { releaseAfterDependents, releaseFromDependents } from './release-owner.js'
import { Turns } from './turns.js'

/** Objects looked at at once. Most of the time goes into waiting for the API. */
const workers = 16
/** Types whose objects are listed at once. */
const listedAtOnce = 16
/** Types that come or go within this time are dealt with together. */
const gatherTypesMs = 20

/** Removes what no owner is left for, and lets owners go when what they own is dealt with. */
export const garbageCollector = (names: GarbageCollectionNames) =>
  defineController({
    name: 'garbagecollector',
    account: 'generic-garbage-collector',
    rules: [
      { verbs: ['delete', 'get', 'list', 'patch', 'update', 'watch'], apiGroups: ['*'], resources: ['*'] },
      names.recordEvents,
    ],
    needs: {
      ...loopNeeds,
      resources: services.resources,
    },
    async start(runtime) {
      const collector = new GarbageCollector(new CollectedTypes(names.ignored), runtime, names.metaGroup)
      collector.start()
      return () => collector.stop()
    },
  })

interface Runtime {
  readonly client: Client
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  readonly resources: ResourceCatalogue
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
  readonly #followed = new Map<CollectedType, { readonly stop: AbortController; readonly ended: Promise<void> }>()
  /** Types that changed since the last look at them. */
  readonly #changed = new Map<string, GroupResource>()
  readonly #listings = new Turns(listedAtOnce)
  #unhear = () => {}
  #cancelUpdate: (() => void) | undefined
  #isStopping = false

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
    const { resources, clock } = this.#runtime
    const seen = new Set<string>()
    const { added } = this.#types.update(resources.all(), resources)
    let unlisted = added.length
    const listed = () => {
      if (--unlisted === 0) this.#begin(seen)
    }
    for (const type of added) this.#follow(type, seen, listed)
    this.#unhear = resources.onChange(change => {
      for (const info of [...change.removed, ...change.added]) this.#changed.set(`${info.group}/${info.resource}`, info)
      // Types often come in crowds.
      this.#cancelUpdate ??= clock.after(gatherTypesMs, () => this.#updateTypes())
    })
  }
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#unhear()
    this.#cancelUpdate?.()
    const followed = [...this.#followed.values()]
    for (const { stop } of followed) stop.abort()
    await Promise.all([this.#workers.stop(), ...followed.map(({ ended }) => ended)])
  }

  #updateTypes(): void {
    this.#cancelUpdate = undefined
    if (this.#isStopping) return
    const { added, removed } = this.#types.update(this.#changed.values(), this.#runtime.resources)
    this.#changed.clear()
    for (const type of removed) {
      this.#followed.get(type)?.stop.abort()
      this.#followed.delete(type)
      // What was owned by its objects may have to go.
      this.#graph.doubtAllBut(type, new Set())
    }
    for (const type of added) {
      const seen = new Set<string>()
      this.#follow(type, seen, () => {
        for (const key of seen) this.#graph.confirm(key)
      })
    }
    this.#graph.doubtStrangers()
  }
  #follow(type: CollectedType, seen: Set<string>, listed: () => void): void {
    const stop = new AbortController()
    const { signal } = stop
    const services = {
      ...this.#runtime,
      graph: this.#graph,
      turns: this.#listings,
      signal,
      metaGroup: this.#metaGroup,
    }
    const ended = followType(type, services, seen, listed).catch(error => {
      if (!stop.signal.aborted)
        this.#runtime.logger.error('a type is no longer watched', { resource: type.resource, error })
    })
    this.#followed.set(type, { stop, ended })
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
    const release = { objects: this.#objects, graph: this.#graph, now: () => this.#runtime.clock.now() }
    if (node.state === 'claimed') {
      const live = await this.#objects.find(node)
      // A watch may have reported a newer state than this response.
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

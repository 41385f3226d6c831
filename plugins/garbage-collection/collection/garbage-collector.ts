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
import { ConcurrencyLimit } from './concurrency-limit.js'
import { followType } from './follow-type.js'
import { ForeignOwners } from './foreign-owners.js'
import { LiveObjects } from './live-objects.js'
import { OwnerGraph } from './owner-graph.js'
import { releaseAfterDependents, releaseFromDependents } from './release-owner.js'

/** Objects that are processed concurrently. Most of the time is spent waiting for the API. */
const workers = 16
const maxConcurrentListings = 16
/** Types that are added or removed within this time are processed together. */
const gatherTypesMs = 20

/** Deletes objects without owners, and removes the finalizers of owners when their dependents are processed. */
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
  /** One signal for each type, because a signal with thousands of listeners is slow. */
  readonly #followed = new Map<CollectedType, { readonly stop: AbortController; readonly ended: Promise<void> }>()
  /** Types that changed since the last update. */
  readonly #changed = new Map<string, GroupResource>()
  readonly #listingLimit = new ConcurrencyLimit(maxConcurrentListings)
  #stopListening = () => {}
  #cancelUpdate: (() => void) | undefined
  #isStopping = false

  constructor(types: CollectedTypes, runtime: Runtime, metaGroup: string) {
    this.#metaGroup = metaGroup
    this.#types = types
    this.#runtime = runtime
    this.#objects = new LiveObjects(runtime.client)
    const events = createEventRecorder({ ...runtime, component: 'garbage-collector-controller' })
    this.#foreign = new ForeignOwners({ ...runtime, events, metaGroup })
    this.#workers = new KeyWorkers({ ...runtime, name: 'garbagecollector', workers, work: key => this.#process(key) })
    this.#graph = new OwnerGraph({
      types,
      now: () => runtime.clock.now(),
      touch: key => this.#workers.add(key),
    })
  }

  /** Starts watching all types. It does not wait for their first listing: a large store would delay the startup. */
  start(): void {
    const { resources, clock } = this.#runtime
    const seen = new Set<string>()
    const { added } = this.#types.update(resources.all(), resources)
    let unlisted = added.length
    const listed = () => {
      if (--unlisted === 0) this.#begin(seen)
    }
    for (const type of added) this.#follow(type, seen, listed)
    this.#stopListening = resources.onChange(change => {
      for (const info of [...change.removed, ...change.added]) this.#changed.set(`${info.group}/${info.resource}`, info)
      // Types are often added in batches.
      this.#cancelUpdate ??= clock.after(gatherTypesMs, () => this.#updateTypes())
    })
  }
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#stopListening()
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
      // The dependents of its objects may have to be collected.
      this.#graph.recheckAllBut(type, new Set())
    }
    for (const type of added) {
      const seen = new Set<string>()
      this.#follow(type, seen, () => this.#confirm(seen))
    }
    this.#graph.recheckUnknownOwners()
  }
  #follow(type: CollectedType, seen: Set<string>, listed: () => void): void {
    const stop = new AbortController()
    const { signal } = stop
    const services = {
      ...this.#runtime,
      graph: this.#graph,
      listingLimit: this.#listingLimit,
      signal,
      metaGroup: this.#metaGroup,
    }
    const ended = followType(type, services, seen, listed).catch(error => {
      if (!stop.signal.aborted)
        this.#runtime.logger.error('a type is no longer watched', { resource: type.resource, error })
    })
    this.#followed.set(type, { stop, ended })
  }

  /** Owners that were listed need not be looked up, so work starts after all listings. */
  #begin(seen: Set<string>): void {
    this.#confirm(seen)
    if (!this.#isStopping) this.#workers.start()
  }

  #confirm(seen: Set<string>): void {
    for (const key of seen) this.#graph.confirm(key)
    seen.clear()
  }

  async #process(key: string): Promise<Outcome> {
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

import { type StartTask, services } from 'orch/sdk'
import { type Client, unlessLost } from 'orch/sdk/client'
import type { CatalogueChange } from 'orch/sdk/server'
import { builtInPriorities, dynamicPriorities, type Priorities } from './api-services/priorities.js'
import { type APIService, apiServiceName } from './api-services/schema.js'
import type { AggregationNames } from './names.js'
import { ServedVersions } from './served-versions.js'
import { delegationService } from './services.js'

/** The value of the management label: created at the start and then left alone (`onstart`), or kept in sync (`true`). */
type Management = 'onstart' | 'true'
interface DesiredApiService {
  readonly group: string
  readonly version: string
  readonly priorities: Priorities
  readonly management: Management
}
const retryMs = 1000

const needs = {
  client: services.client,
  resources: services.resources,
  caches: services.caches,
  clock: services.clock,
  logger: services.logger,
  delegation: delegationService,
}

/**
 * Maintains an APIService for every version that this server serves itself. Those of plugins are created at the start and may be
 * changed by clients afterwards; those of custom resources are kept in sync for as long as their types exist.
 */
export const registerOwnVersions = (names: AggregationNames): StartTask<typeof needs> => ({
  name: 'APIServices of this server',
  once: true,
  needs,
  async run({ client, resources, caches, clock, logger, delegation }) {
    const registration = new Registration(client, names, new ServedVersions(resources.all()), delegation.builtIn)
    let isStopped = false
    // The initial sync counts as running: types may be added during it.
    let isRunning = true
    let isDue = false
    const sync = async () => {
      isDue = true
      if (isRunning) return
      isRunning = true
      while (isDue && !isStopped) {
        isDue = false
        await registration.sync(false).catch(error => {
          logger.warn('APIServices of custom resources are not up to date; trying again', { error })
          clock.after(retryMs, sync)
        })
      }
      isRunning = false
    }
    const stops = [
      // Most changes of types add no version and remove none, and need no sync.
      resources.onChange(change => {
        if (registration.changes(change)) void sync()
      }),
    ]
    await registration.sync(true)
    isRunning = false
    if (isDue) void sync()
    stops.push(
      caches.of<APIService>(names.apiServices).onChange(({ object }) => {
        if (object.metadata.labels?.[names.managedLabel] === 'true') void sync()
      }),
    )
    return async () => {
      isStopped = true
      for (const stop of stops) stop()
    }
  },
})

class Registration {
  readonly #client: Client
  readonly #names: AggregationNames
  readonly #served: ServedVersions
  readonly #builtIn: ReadonlySet<string>

  constructor(client: Client, names: AggregationNames, served: ServedVersions, builtIn: ReadonlySet<string>) {
    this.#client = client
    this.#names = names
    this.#served = served
    this.#builtIn = builtIn
  }

  /** Applies a change of the served types. Returns whether a version was added or removed. */
  changes(change: CatalogueChange): boolean {
    return this.#served.change(change)
  }

  /** Creates, updates and deletes APIServices to match what is served. Another server on the same store may be doing the same. */
  async sync(isStart: boolean): Promise<void> {
    const { managedLabel } = this.#names
    const collection = this.#client.resource<APIService>(this.#names.apiServices)
    const stored = new Map<string, APIService>()
    for await (const object of collection.each()) stored.set(object.metadata.name ?? '', object)
    const desired = new Map(this.#desired().map(each => [apiServiceName(each.group, each.version), each]))
    const isOurs = (management: unknown) => management === 'true' || (isStart && management === 'onstart')
    const changes = [...desired].flatMap(([name, one]) => {
      const known = stored.get(name)
      if (!known) return isOurs(one.management) ? [this.#create(name, one)] : []
      if (!isOurs(known.metadata.labels?.[managedLabel]) || isAsDesired(known, one)) return []
      return [unlessLost(collection.update({ ...known, ...this.#objectOf(name, one, known) }), 'Conflict', 'NotFound')]
    })
    const leftovers = [...stored].filter(
      ([name, { metadata }]) => isOurs(metadata.labels?.[managedLabel]) && !desired.has(name),
    )
    await Promise.all([...changes, ...leftovers.map(([name]) => unlessLost(collection.delete(name)))])
  }

  #create(name: string, one: DesiredApiService): Promise<unknown> {
    const collection = this.#client.resource<APIService>(this.#names.apiServices)
    return unlessLost(collection.create(this.#objectOf(name, one) as never))
  }
  #objectOf(name: string, { group, version, priorities, management }: DesiredApiService, known?: APIService) {
    const { managedLabel } = this.#names
    const labels = { ...known?.metadata.labels, [managedLabel]: management }
    return { metadata: { ...known?.metadata, name, labels }, spec: { group, version, ...priorities } }
  }

  #desired(): DesiredApiService[] {
    const builtIn = builtInPriorities(this.#names)
    return [...this.#served]
      .filter(({ group }) => group !== this.#names.group)
      .map(({ group, version }) =>
        this.#builtIn.has(`${group}/${version}`)
          ? { group, version, priorities: builtIn(group, version), management: 'onstart' }
          : { group, version, priorities: dynamicPriorities, management: 'true' },
      )
  }
}

const isAsDesired = ({ spec }: APIService, { group, version, priorities }: DesiredApiService): boolean =>
  spec.service === undefined &&
  (spec.group ?? '') === group &&
  spec.version === version &&
  spec.groupPriorityMinimum === priorities.groupPriorityMinimum &&
  spec.versionPriority === priorities.versionPriority

import { type CatalogueChange, type StartTask, services } from 'orch/sdk'
import { type Client, unlessLost } from 'orch/sdk/client'
import { builtInPriorities, livePriorities, type Priorities } from './api-services/priorities.js'
import { type APIService, nameOf } from './api-services/schema.js'
import type { AggregationNames } from './names.js'
import { ServedVersions } from './served-versions.js'
import { delegationService } from './services.js'

/** How the server cares for an APIService of its own. */
type Care = 'onstart' | 'true'
interface Wanted {
  readonly group: string
  readonly version: string
  readonly priorities: Priorities
  readonly care: Care
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
 * Keeps an APIService for every version that this server serves itself. Those of plugins are made at the start, and then belong
 * to whoever changes them; those of types that come and go are kept as they must be for as long as the types are there.
 */
export const registerOwnVersions = (names: AggregationNames): StartTask<typeof needs> => ({
  name: 'APIServices of this server',
  once: true,
  needs,
  async run({ client, resources, caches, clock, logger, delegation }) {
    const registration = new Registration(client, names, new ServedVersions(resources.all()), delegation.builtIn)
    let isStopped = false
    // The first one is: types may come while it is under way.
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
      // Most types come into a version that others have already.
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

  /** Takes over what happened to types. Did a version come or go with them? */
  changes(change: CatalogueChange): boolean {
    return this.#served.change(change)
  }

  /** Brings the objects to what is served now. Another server of the same store may be faster, and does the same. */
  async sync(isStart: boolean): Promise<void> {
    const { managedLabel } = this.#names
    const collection = this.#client.resource<APIService>(this.#names.apiServices)
    const stored = new Map<string, APIService>()
    for await (const object of collection.each()) stored.set(object.metadata.name ?? '', object)
    const wanted = new Map(this.#wanted().map(each => [nameOf(each.group, each.version), each]))
    const isOurs = (care: unknown) => care === 'true' || (isStart && care === 'onstart')
    const changes = [...wanted].flatMap(([name, one]) => {
      const known = stored.get(name)
      if (!known) return isOurs(one.care) ? [this.#create(name, one)] : []
      if (!isOurs(known.metadata.labels?.[managedLabel]) || isSame(known, one)) return []
      return [
        unlessLost(
          collection.update({ ...known, ...this.#objectOf(name, one, known) } as never),
          'Conflict',
          'NotFound',
        ),
      ]
    })
    const leftovers = [...stored].filter(
      ([name, { metadata }]) => isOurs(metadata.labels?.[managedLabel]) && !wanted.has(name),
    )
    await Promise.all([...changes, ...leftovers.map(([name]) => unlessLost(collection.delete(name)))])
  }

  #create(name: string, one: Wanted): Promise<unknown> {
    const collection = this.#client.resource<APIService>(this.#names.apiServices)
    return unlessLost(collection.create(this.#objectOf(name, one) as never))
  }
  #objectOf(name: string, { group, version, priorities, care }: Wanted, known?: APIService) {
    const { managedLabel } = this.#names
    const labels = { ...known?.metadata.labels, [managedLabel]: care }
    return { metadata: { ...known?.metadata, name, labels }, spec: { group, version, ...priorities } }
  }

  #wanted(): Wanted[] {
    const builtIn = builtInPriorities(this.#names)
    return [...this.#served]
      .filter(({ group }) => group !== this.#names.group)
      .map(({ group, version }) =>
        this.#builtIn.has(`${group}/${version}`)
          ? { group, version, priorities: builtIn(group, version), care: 'onstart' }
          : { group, version, priorities: livePriorities, care: 'true' },
      )
  }
}

const isSame = ({ spec }: APIService, { group, version, priorities }: Wanted): boolean =>
  spec.service === undefined &&
  (spec.group ?? '') === group &&
  spec.version === version &&
  spec.groupPriorityMinimum === priorities.groupPriorityMinimum &&
  spec.versionPriority === priorities.versionPriority

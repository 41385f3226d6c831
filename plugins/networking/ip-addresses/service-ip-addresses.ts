import { type ApiObject, defineStartTask, type Logger, services } from 'orch/sdk'
import { type Client, unlessLost } from 'orch/sdk/client'
import type { Service } from 'orch/sdk/core'
import { isValidIpv4 } from 'orch/sdk/validation'
import type { NetworkingNames } from '../names.js'
import { addressesOf } from '../services/service-kinds.js'
import type { IPAddress, ParentReference } from './schema.js'

type StoredAddress = ApiObject & IPAddress
type StoredService = ApiObject & Service

export const isParent = ({ resource, namespace, name, group = '' }: ParentReference, service: StoredService) =>
  group === '' && resource === 'services' && namespace === service.metadata.namespace && name === service.metadata.name

/** Creates the IPAddress objects of a Service, and deletes those of addresses that it no longer has. */
export async function syncAddresses(
  client: Client,
  names: NetworkingNames,
  service: StoredService,
  before: StoredService | undefined,
): Promise<void> {
  const wanted = addressesOf(service)
  const had = new Set(addressesOf(before))
  const collection = client.resource<StoredAddress>(names.ipAddresses)
  for (const address of wanted)
    if (!had.has(address)) await unlessLost(collection.create(addressOf(address, service, names)), 'AlreadyExists')
  await removeAddresses(
    client,
    names,
    service,
    [...had].filter(address => !wanted.includes(address)),
  )
}

/** Deletes IPAddress objects that belong to this Service. */
export async function removeAddresses(
  client: Client,
  { ipAddresses, managedByLabel, ipAllocator }: NetworkingNames,
  service: StoredService,
  addresses: readonly string[],
): Promise<void> {
  const collection = client.resource<StoredAddress>(ipAddresses)
  for (const address of addresses) {
    const found = await collection.find(address)
    const parent = found?.spec?.parentRef
    const isOurs = found?.metadata.labels?.[managedByLabel] === ipAllocator && parent && isParent(parent, service)
    if (isOurs) await unlessLost(collection.delete(address), 'NotFound')
  }
}

function addressOf(address: string, { metadata }: StoredService, names: NetworkingNames): StoredAddress {
  const { group, familyLabel, managedByLabel, ipAllocator } = names
  const family = isValidIpv4(address).length === 0 ? 'IPv4' : 'IPv6'
  return {
    apiVersion: `${group}/v1`,
    kind: 'IPAddress',
    metadata: { name: address, labels: { [familyLabel]: family, [managedByLabel]: ipAllocator } },
    spec: { parentRef: { resource: 'services', namespace: metadata.namespace ?? '', name: metadata.name ?? '' } },
  }
}

const serviceCollection = { group: '', resource: 'services' }

/**
 * Creates missing IPAddress objects and deletes stale ones: of Services from before addresses were objects, after a
 * crash between storing a Service and its address, and of addresses that were deleted.
 */
export const repairAddresses = (names: NetworkingNames) =>
  defineStartTask({
    name: 'objects for addresses of Services',
    since: '1.33',
    once: true,
    needs: { client: services.client, caches: services.caches, logger: services.logger },
    async run({ client, caches, logger }) {
      const all = caches.of<StoredService>(serviceCollection)
      const addresses = caches.of<StoredAddress>({ group: names.group, resource: 'ipaddresses' })
      all.addIndex('address', service => addressesOf(service))
      const repairing = new Repair(client, names, logger)
      const stops = [
        addresses.onChange(({ type, object }) => {
          if (type !== 'deleted') return
          for (const service of all.indexed('address', object.metadata.name ?? '')) repairing.createFor(service)
        }),
      ]
      Promise.all([all.ready(), addresses.ready()])
        .then(() => {
          const known = new Set(addresses.list().map(({ metadata }) => metadata.name ?? ''))
          for (const service of all.list())
            if (addressesOf(service).some(address => !known.has(address))) repairing.createFor(service)
          for (const address of addresses.list()) {
            const parent = address.spec?.parentRef
            const isOurs = address.metadata.labels?.[names.managedByLabel] === names.ipAllocator
            if (!isOurs || !parent) continue
            const service = all.get(parent.namespace ?? '', parent.name ?? '')
            if (!service || !addressesOf(service).includes(address.metadata.name ?? '')) repairing.remove(address)
          }
        })
        .catch(error => logger.warn('addresses of Services could not be checked', { error }))
      return async () => {
        for (const stop of stops) stop()
        await repairing.end()
      }
    },
  })

/** Runs repairs sequentially, in the background. */
class Repair {
  readonly #client: Client
  readonly #names: NetworkingNames
  readonly #logger: Logger
  #last: Promise<void> = Promise.resolve()
  #isEnded = false
  constructor(client: Client, names: NetworkingNames, logger: Logger) {
    this.#client = client
    this.#names = names
    this.#logger = logger
  }
  createFor(service: StoredService): void {
    this.#add(() => syncAddresses(this.#client, this.#names, service, undefined))
  }
  remove(address: StoredAddress): void {
    const { name = '', uid, resourceVersion } = address.metadata
    const preconditions = { uid: uid ?? '', resourceVersion: resourceVersion ?? '' }
    const collection = this.#client.resource<StoredAddress>(this.#names.ipAddresses)
    this.#add(async () => void (await unlessLost(collection.delete(name, { preconditions }), 'NotFound', 'Conflict')))
  }
  async end(): Promise<void> {
    this.#isEnded = true
    await this.#last
  }
  #add(work: () => Promise<void>): void {
    this.#last = this.#last.then(async () => {
      if (this.#isEnded) return
      try {
        await work()
      } catch (error) {
        if (!this.#isEnded) this.#logger.warn('an address of a Service could not be repaired', { error })
      }
    })
  }
}

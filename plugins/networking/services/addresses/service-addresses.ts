import { randomUUID } from 'node:crypto'
import {
  type ApiObject,
  type Caches,
  defineAdmission,
  invalid,
  type ServedLevel,
  services,
  tooManyRequests,
} from 'orch/sdk'
import type { IPAddress } from '../../ip-addresses/schema.js'
import { isParent } from '../../ip-addresses/service-ip-addresses.js'
import type { NetworkingNames } from '../../names.js'
import type { NetworkingOptions } from '../../options.js'
import { readyRanges } from '../../service-cidrs/ready-ranges.js'
import type { ServiceCIDR } from '../../service-cidrs/schema.js'
import { carryOver } from '../carry-over.js'
import { specOf } from '../service-kinds.js'
import {
  namesOf,
  nodePortsOf,
  portKey,
  type StoredService,
  serviceCollection,
  takeAddresses,
} from './address-claims.js'
import { AddressRange } from './address-range.js'
import { allocate } from './allocate.js'

/** Every attempt lost the address to another allocation. This many in a row indicate a bug. */
const mostTries = 100

/** Gives Services their addresses inside the cluster and their ports on the nodes, and refuses those that others have. */
export const serviceAddresses = (options: NetworkingOptions, level: ServedLevel, names?: NetworkingNames) => {
  const ranges = options.serviceClusterIpRange.split(',').map(cidr => new AddressRange(cidr.trim()))
  const [first = 0, last = 0] = options.serviceNodePortRange.split('-').map(Number)
  /** Who a Service is whose name is still to be made up. A webhook may have the control called a second time: it is the same. */
  const unnamed = new WeakMap<object, string>()
  const unnamedOwner = (request: object) => {
    const owner = unnamed.get(request) ?? randomUUID()
    unnamed.set(request, owner)
    return owner
  }

  return defineAdmission<StoredService>()({
    name: 'ServiceAddresses',
    stage: 'last', // others may still change the type, which decides what is required
    phase: 'mutate',
    sideEffects: 'none',
    matches: { group: '', resource: 'services', operations: ['create', 'update'] },
    needs: { caches: services.caches, take: takeAddresses },
    async review(request, { caches, take }) {
      const { object, oldObject, name, namespace, dryRun } = request
      const cache = caches.of<StoredService>(serviceCollection)
      cache.addIndex('address', service => specOf(service).clusterIPs ?? [])
      cache.addIndex('nodePort', nodePortsOf)
      await cache.ready()
      const isOther = ({ metadata }: StoredService) => metadata.name !== name || metadata.namespace !== namespace
      /** What others have, although it cannot be seen in the cache yet. */
      const claimed = new Set<string>()
      const isTaken = (index: string, value: string) => claimed.has(value) || cache.indexed(index, value).some(isOther)
      const objects = names && (await addressObjects(caches, names))

      const owner = name === '' ? unnamedOwner(request) : `${namespace}/${name}`
      const stored = oldObject && specOf(oldObject)
      const known = new Set(oldObject ? namesOf(oldObject) : [])
      // Admission comes before the strategy, which does the same.
      carryOver(specOf(object), stored, level)
      const asked = structuredClone(specOf(object))
      for (let tries = 0; tries < mostTries; tries++) {
        const spec = structuredClone(asked)
        const errors = allocate(spec, stored, {
          families: ranges.map(({ family }) => family),
          rangesOf: family => [...(objects ? objects.ranges() : ranges).filter(range => range.family === family)],
          nodePorts: { first, last },
          isTrial: dryRun,
          isAddressTaken: address =>
            isTaken('address', address) || (objects?.isTaken(address, { name, namespace }) ?? false),
          isNodePortTaken: port => isTaken('nodePort', portKey(port)),
        })
        if (errors.length > 0) throw invalid({ group: '', kind: 'Service' }, name, errors)
        if (object.spec) object.spec = spec
        if (dryRun) return
        const wanted = namesOf(object).filter(value => !known.has(value))
        const lost = wanted.length > 0 && (await take({ names: wanted, owner }))
        if (!lost) return
        claimed.add(lost)
      }
      throw tooManyRequests('no address or node port could be taken for the Service, try again', 1)
    },
  })
}

/** What there is where ranges and addresses are objects. */
async function addressObjects(caches: Caches, { group }: NetworkingNames) {
  const cidrs = caches.of<ApiObject & ServiceCIDR>({ group, resource: 'servicecidrs' })
  const addresses = caches.of<ApiObject & IPAddress>({ group, resource: 'ipaddresses' })
  await Promise.all([cidrs.ready(), addresses.ready()])
  return {
    ranges: () => readyRanges(cidrs.list()),
    /** Whether the address is allocated otherwise. */
    isTaken(address: string, metadata: { readonly name: string; readonly namespace: string }): boolean {
      const found = addresses.get('', address)
      if (!found) return false
      const parent = found.spec?.parentRef
      return !parent || !isParent(parent, { metadata })
    },
  }
}

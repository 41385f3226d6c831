import { randomUUID } from 'node:crypto'
import { type ApiObject, type Caches, defineAdmission, invalid, services, tooManyRequests } from 'orch/sdk'
import type { IPAddress } from '../../ip-addresses/schema.js'
import { isParent } from '../../ip-addresses/service-ip-addresses.js'
import type { NetworkingNames } from '../../names.js'
import type { NetworkingOptions } from '../../options.js'
import { readyRanges } from '../../service-cidrs/ready-ranges.js'
import type { ServiceCIDR } from '../../service-cidrs/schema.js'
import { carryOver } from '../carry-over.js'
import type { ServiceNames } from '../names.js'
import { addressesOf, specOf } from '../service-kinds.js'
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

/** Each attempt lost its address to a concurrent allocation. This many in a row indicate a bug. */
const maxAttempts = 100

/** Allocates cluster addresses and node ports of Services, and rejects those that others have. */
export const serviceAddresses = (options: NetworkingOptions, rules: ServiceNames, names?: NetworkingNames) => {
  const ranges = options.serviceClusterIpRange.split(',').map(cidr => new AddressRange(cidr.trim()))
  const [first = 0, last = 0] = options.serviceNodePortRange.split('-').map(Number)
  /** Owner of a Service without a name yet. It is the same if a webhook causes the control to be called again. */
  const unnamed = new WeakMap<object, string>()
  const unnamedOwner = (request: object) => {
    const owner = unnamed.get(request) ?? randomUUID()
    unnamed.set(request, owner)
    return owner
  }

  return defineAdmission<StoredService>()({
    name: 'ServiceAddresses',
    stage: 'last', // others may still change the type, which determines what is allocated
    phase: 'mutate',
    sideEffects: 'none',
    matches: { group: '', resource: 'services', operations: ['create', 'update'] },
    needs: { caches: services.caches, take: takeAddresses },
    async review(request, { caches, take }) {
      const { object, oldObject, name, namespace, dryRun } = request
      if (oldObject && isOutdated(object, oldObject)) return
      const cache = caches.of<StoredService>(serviceCollection)
      cache.addIndex('address', addressesOf)
      cache.addIndex('nodePort', nodePortsOf)
      await cache.ready()
      const isOther = ({ metadata }: StoredService) => metadata.name !== name || metadata.namespace !== namespace
      /** Names that others have claimed, but that are not in the cache yet. */
      const claimed = new Set<string>()
      const isTaken = (index: string, value: string) => claimed.has(value) || cache.indexed(index, value).some(isOther)
      const objects = names && (await addressObjects(caches, names))

      const owner = name === '' ? unnamedOwner(request) : `${namespace}/${name}`
      const stored = oldObject && specOf(oldObject)
      const known = new Set(oldObject ? namesOf(oldObject) : [])
      // The strategy does the same, but only after admission.
      carryOver(specOf(object), stored, rules.level)
      const requested = structuredClone(specOf(object))
      for (let tries = 0; tries < maxAttempts; tries++) {
        const spec = structuredClone(requested)
        const errors = allocate(spec, stored, {
          families: ranges.map(({ family }) => family),
          rangesOf: family => [...(objects ? objects.ranges() : ranges).filter(range => range.family === family)],
          nodePorts: { first, last },
          rules,
          isDryRun: dryRun,
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
      throw tooManyRequests('no address or node port could be allocated for the Service, try again', 1)
    },
  })
}

/** An update of an older version will be refused as that, and takes no address. */
function isOutdated({ metadata }: StoredService, stored: StoredService): boolean {
  const { resourceVersion = '' } = metadata
  return !/^0*$/.test(resourceVersion) && resourceVersion !== stored.metadata.resourceVersion
}

/** The pool where ranges and addresses are objects. */
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

import { randomUUID } from 'node:crypto'
import { type ApiObject, defineAdmission, invalid, services } from 'orch/sdk'
import type { WorkloadOptions } from '../../options.js'
import { carryOver } from '../carry-over.js'
import type { Service } from '../schema.js'
import { specOf } from '../service-kinds.js'
import { takeAddresses } from './address-claims.js'
import { AddressRange } from './address-range.js'
import { allocate } from './allocate.js'

type StoredService = ApiObject & Service
const collection = { group: '', resource: 'services' }
/** Claims of addresses and of ports are kept in one place. */
const portKey = (port: number) => `port/${port}`

/** Gives Services their addresses inside the cluster and their ports on the nodes, and refuses those that others have. */
export const serviceAddresses = (options: WorkloadOptions) => {
  const ranges = options.serviceClusterIpRange.split(',').map(cidr => new AddressRange(cidr.trim()))
  const [first = 0, last = 0] = options.serviceNodePortRange.split('-').map(Number)
  /** Who a Service is whose name is still to be made up. A webhook may have the control called a second time: it is the same. */
  const unnamed = new WeakMap<object, string>()
  const ownerOf = (request: object) => {
    const owner = unnamed.get(request) ?? randomUUID()
    unnamed.set(request, owner)
    return owner
  }

  return defineAdmission<StoredService>()({
    name: 'ServiceAddresses',
    phase: 'mutate',
    sideEffects: 'none',
    order: 'last', // others may still change the type, which decides what is needed
    matches: { group: '', resource: 'services', operations: ['create', 'update'] },
    needs: { caches: services.caches, take: takeAddresses },
    async review(request, { caches, take }) {
      const { object, oldObject, name, namespace, dryRun } = request
      const cache = caches.of<StoredService>(collection)
      cache.addIndex('address', service => specOf(service).clusterIPs ?? [])
      cache.addIndex('nodePort', service => nodePortsOf(service))
      await cache.ready()
      const isOther = ({ metadata }: StoredService) => metadata.name !== name || metadata.namespace !== namespace
      /** What others have, although it cannot be seen in the cache yet. */
      const claimed = new Set<string>()
      const isTaken = (index: string, value: string) => claimed.has(value) || cache.indexed(index, value).some(isOther)

      const owner = name === '' ? ownerOf(request) : `${namespace}/${name}`
      const stored = oldObject && specOf(oldObject)
      const known = new Set(oldObject ? [...(stored?.clusterIPs ?? []), ...nodePortsOf(oldObject)] : [])
      // Admission comes before the strategy, which does the same.
      carryOver(specOf(object), stored)
      const asked = structuredClone(specOf(object))
      for (;;) {
        const spec = structuredClone(asked)
        const errors = allocate(spec, stored, {
          ranges,
          nodePorts: { first, last },
          isAddressTaken: address => isTaken('address', address),
          isNodePortTaken: port => isTaken('nodePort', portKey(port)),
        })
        if (errors.length > 0) throw invalid({ group: '', kind: 'Service' }, name, errors)
        if (object.spec) object.spec = spec
        if (dryRun) return
        const given = [...(spec.clusterIPs ?? []), ...nodePortsOf(object)]
        const wanted = given.filter(value => value !== 'None' && !known.has(value))
        const lost = wanted.length > 0 && (await take({ names: wanted, owner }))
        if (!lost) return
        claimed.add(lost)
      }
    },
  })
}

/** Every port on the nodes that a Service has. */
function nodePortsOf(service: Service): string[] {
  const { ports = [], healthCheckNodePort = 0 } = specOf(service)
  const numbers = new Set([healthCheckNodePort, ...ports.map(({ nodePort = 0 }) => nodePort)])
  return [...numbers].filter(port => port !== 0).map(portKey)
}

import { type ApiObject, defineAdmission, invalid, services } from 'orch/sdk'
import type { WorkloadOptions } from '../../options.js'
import { carryOver } from '../carry-over.js'
import type { Service } from '../schema.js'
import { specOf } from '../service-kinds.js'
import { AddressRange } from './address-range.js'
import { allocate } from './allocate.js'
import { Reservations } from './reservations.js'

type StoredService = ApiObject & Service
const collection = { group: '', resource: 'services' }
const portKey = (port: number, protocol: string) => `${port}/${protocol}`

/** Gives Services their addresses inside the cluster and their ports on the nodes, and refuses those that others have. */
export const serviceAddresses = (options: WorkloadOptions) => {
  const ranges = options.serviceClusterIpRange.split(',').map(cidr => new AddressRange(cidr.trim()))
  const [first = 0, last = 0] = options.serviceNodePortRange.split('-').map(Number)
  const reservations = new Reservations()

  return defineAdmission<StoredService>()({
    name: 'ServiceAddresses',
    phase: 'mutate',
    sideEffects: 'none',
    order: 'last', // others may still change the type, which decides what is needed
    matches: { group: '', resource: 'services', operations: ['create', 'update'] },
    needs: { caches: services.caches, clock: services.clock },
    async review(request, { caches, clock }) {
      const { object, oldObject, name, namespace, dryRun } = request
      // A webhook may have this called a second time: what it was given the first time is not taken.
      const holder = name === '' ? request : `${namespace}/${name}`
      const cache = caches.of<StoredService>(collection)
      cache.addIndex('address', service => specOf(service).clusterIPs ?? [])
      cache.addIndex('nodePort', service => nodePortsOf(service))
      await cache.ready()
      const now = clock.now()
      const isOther = ({ metadata }: StoredService) => metadata.name !== name || metadata.namespace !== namespace
      const isTaken = (index: string, value: string) =>
        reservations.isReserved(value, now, holder) || cache.indexed(index, value).some(isOther)

      const spec = specOf(object)
      const stored = oldObject && specOf(oldObject)
      // Admission comes before the strategy, which does the same.
      carryOver(spec, stored)
      const errors = allocate(spec, stored, {
        ranges,
        nodePorts: { first, last },
        isAddressTaken: address => isTaken('address', address),
        isNodePortTaken: (port, protocol) => isTaken('nodePort', portKey(port, protocol)),
      })
      if (errors.length > 0) throw invalid({ group: '', kind: 'Service' }, name, errors)
      if (dryRun) return
      const known = new Set(oldObject ? [...(specOf(oldObject).clusterIPs ?? []), ...nodePortsOf(oldObject)] : [])
      for (const value of [...(spec.clusterIPs ?? []), ...nodePortsOf(object)])
        if (value !== 'None' && !known.has(value)) reservations.reserve(value, now, holder)
    },
  })
}

/** Every port on the nodes that a Service has, with its protocol. */
function nodePortsOf(service: Service): string[] {
  const { ports = [], healthCheckNodePort = 0 } = specOf(service)
  return [
    ...ports.flatMap(({ nodePort = 0, protocol = 'TCP' }) => (nodePort === 0 ? [] : [portKey(nodePort, protocol)])),
    ...(healthCheckNodePort === 0 ? [] : [portKey(healthCheckNodePort, 'TCP')]),
  ]
}

import { type FieldError, invalidValue } from 'orch/sdk'
import type { ServicePort, ServiceSpec } from '../schema.js'
import { isHeadless, needsClusterIp, needsHealthCheckPort, needsNodePort } from '../service-kinds.js'
import type { AddressRange } from './address-range.js'
import { fillFamilies } from './ip-families.js'
import { pickFree } from './pick-free.js'

/** What can be given away, and what already is. */
export interface AddressPool {
  readonly ranges: readonly AddressRange[]
  readonly nodePorts: { readonly first: number; readonly last: number }
  /** Does another Service have this address? */
  isAddressTaken(address: string): boolean
  /** Does another Service have this port on the nodes, for the protocol? */
  isNodePortTaken(port: number, protocol: string): boolean
}

/** Gives a Service the addresses and node ports it needs and does not have yet. Returns what it may not have. */
export function allocate(spec: ServiceSpec, stored: ServiceSpec | undefined, pool: AddressPool): FieldError[] {
  if (!needsClusterIp(spec)) return []
  const errors = fillFamilies(spec, pool.ranges)
  if (errors.length > 0) return errors
  if (isHeadless(spec)) spec.clusterIPs = ['None']
  else errors.push(...allocateAddresses(spec, stored, pool))
  if (errors.length > 0) return errors
  spec.clusterIP = spec.clusterIPs?.[0]
  if (needsNodePort(spec) || (spec.ports ?? []).some(port => port.nodePort))
    errors.push(...allocatePorts(spec, stored, pool))
  return [...errors, ...allocateHealthCheckPort(spec, stored, pool)]
}

function allocateAddresses(spec: ServiceSpec, stored: ServiceSpec | undefined, pool: AddressPool): FieldError[] {
  const field = 'spec.clusterIPs'
  const asked = spec.clusterIPs ?? []
  const addresses: string[] = []
  for (const [i, family] of (spec.ipFamilies ?? []).entries()) {
    const range = pool.ranges.find(candidate => candidate.family === family)
    if (range === undefined) continue
    const address = asked[i]
    const refuse = (why: string) => [invalidValue(field, asked, `failed to allocate IP ${address}: ${why}`)]
    if (address === undefined) {
      const free = pickFree(
        range.size,
        index => range.at(index),
        ip => pool.isAddressTaken(ip),
      )
      if (free === undefined) return [invalidValue(field, [], 'failed to allocate a serviceIP: range is full')]
      addresses.push(free)
    } else if ((stored?.clusterIPs ?? []).includes(address)) addresses.push(address)
    else if (!range.includes(address)) return refuse('the provided IP is not in the valid range')
    else if (pool.isAddressTaken(address)) return refuse('provided IP is already allocated')
    else addresses.push(address)
  }
  spec.clusterIPs = addresses
  return []
}

const hasStored = (stored: ServiceSpec | undefined, nodePort: number, protocol: string | undefined) =>
  (stored?.ports ?? []).some(port => port.nodePort === nodePort && port.protocol === protocol)

function allocatePorts(spec: ServiceSpec, stored: ServiceSpec | undefined, pool: AddressPool): FieldError[] {
  // Ports of one Service that differ only in protocol share their number.
  const chosen = new Map<number, number>()
  for (const { port, nodePort } of spec.ports ?? []) if (nodePort) chosen.set(port, nodePort)
  return (spec.ports ?? []).flatMap((port, i) => allocatePort(port, `spec.ports[${i}].nodePort`))

  function allocatePort(port: ServicePort, field: string): FieldError[] {
    const { protocol = 'TCP', nodePort = 0 } = port
    if (nodePort !== 0) {
      if (hasStored(stored, nodePort, protocol)) return []
      if (nodePort < pool.nodePorts.first || nodePort > pool.nodePorts.last)
        return [
          invalidValue(
            field,
            nodePort,
            `provided port is not in the valid range. The range of valid ports is ${pool.nodePorts.first}-${pool.nodePorts.last}`,
          ),
        ]
      return pool.isNodePortTaken(nodePort, protocol)
        ? [invalidValue(field, nodePort, 'provided port is already allocated')]
        : []
    }
    if (!needsNodePort(spec)) return []
    const shared = chosen.get(port.port)
    const free =
      shared !== undefined && !pool.isNodePortTaken(shared, protocol)
        ? shared
        : freePort(pool, protocol, [...chosen.values()])
    if (free === undefined) return [invalidValue(field, 0, 'failed to allocate a nodePort: range is full')]
    port.nodePort = free
    chosen.set(port.port, free)
    return []
  }
}

function freePort(pool: AddressPool, protocol: string, exceptions: readonly number[]): number | undefined {
  const { first, last } = pool.nodePorts
  const picked = pickFree(
    BigInt(last - first + 1),
    index => String(first + Number(index)),
    port => exceptions.includes(Number(port)) || pool.isNodePortTaken(Number(port), protocol),
  )
  return picked === undefined ? undefined : Number(picked)
}

function allocateHealthCheckPort(spec: ServiceSpec, stored: ServiceSpec | undefined, pool: AddressPool): FieldError[] {
  if (!needsHealthCheckPort(spec)) return []
  const field = 'spec.healthCheckNodePort'
  const { healthCheckNodePort: asked = 0 } = spec
  if (asked !== 0)
    return asked !== stored?.healthCheckNodePort && pool.isNodePortTaken(asked, 'TCP')
      ? [invalidValue(field, asked, 'provided port is already allocated')]
      : []
  const free = freePort(
    pool,
    'TCP',
    (spec.ports ?? []).map(({ nodePort = 0 }) => nodePort),
  )
  if (free === undefined) return [invalidValue(field, 0, 'failed to allocate a nodePort: range is full')]
  spec.healthCheckNodePort = free
  return []
}

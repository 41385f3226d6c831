import { randomInt } from 'node:crypto'
import { addAll, type FieldError, invalidValue } from 'orch/sdk'
import type { ServicePort, ServiceSpec } from 'orch/sdk/core'
import { canonicalIp } from 'orch/sdk/validation'
import {
  isExternallyReachable,
  isHeadless,
  needsClusterIp,
  needsHealthCheckPort,
  needsNodePort,
} from '../service-kinds.js'
import type { AddressPool } from './address-pool.js'
import type { AddressRange } from './address-range.js'
import { fillFamilies, isUnchangedPreference } from './ip-families.js'

/** Random attempts before a sequential search. */
const randomAttempts = 32

/** A random free value of `size` values, or undefined when none is left. */
export function pickFree(
  size: bigint,
  at: (index: bigint) => string,
  isTaken: (value: string) => boolean,
): string | undefined {
  const bound = size > 0x7fffffffn ? 0x7fffffff : Number(size)
  for (let attempt = 0; attempt < randomAttempts; attempt++) {
    const value = at(BigInt(randomInt(bound)))
    if (!isTaken(value)) return value
  }
  const start = randomInt(bound)
  for (let step = 0; step < bound; step++) {
    const value = at(BigInt((start + step) % bound))
    if (!isTaken(value)) return value
  }
  return undefined
}

/** Allocates the missing addresses and node ports of a Service. Returns the errors of requested ones. */
export function allocate(spec: ServiceSpec, stored: ServiceSpec | undefined, pool: AddressPool): FieldError[] {
  if (!needsClusterIp(spec)) return []
  const errors = fillFamilies(spec, stored, pool)
  if (errors.length > 0) return errors
  if (needsAddresses(spec, stored)) addAll(errors, allocateAddresses(spec, stored, pool))
  if (errors.length > 0) return errors
  spec.clusterIP = spec.clusterIPs?.[0]
  if (isExternallyReachable(spec)) addAll(errors, allocatePorts(spec, stored, pool))
  return [...errors, ...allocateHealthCheckPort(spec, stored, pool)]
}

/** A stored Service has its addresses, unless its type had none or it gets a second family. */
function needsAddresses(spec: ServiceSpec, stored: ServiceSpec | undefined): boolean {
  if (isHeadless(spec)) return false
  if (stored === undefined || !needsClusterIp(stored)) return true
  if (isHeadless(stored) || isUnchangedPreference(spec, stored)) return false
  return stored.ipFamilies?.length === 1 && spec.ipFamilies?.length === 2
}

function allocateAddresses(spec: ServiceSpec, stored: ServiceSpec | undefined, pool: AddressPool): FieldError[] {
  const field = 'spec.clusterIPs'
  const requested = spec.clusterIPs ?? []
  const addresses: string[] = []
  for (const [i, family] of (spec.ipFamilies ?? []).entries()) {
    if (!pool.families.includes(family)) continue
    const ranges = pool.rangesOf(family)
    const sent = requested[i]
    const address = sent === undefined ? undefined : canonicalIp(sent)
    const refuse = (why: string) => [invalidValue(field, requested, `failed to allocate IP ${sent}: ${why}`)]
    if (sent === undefined || address === undefined) {
      const free = firstFree(ranges, pool)
      if (free === undefined) return [invalidValue(field, [], 'failed to allocate a serviceIP: range is full')]
      addresses.push(free)
    } else if ((stored?.clusterIPs ?? []).includes(sent)) addresses.push(sent)
    else if (!ranges.some(range => range.includes(address))) return refuse('the provided IP is not in the valid range')
    else if (pool.isAddressTaken(address)) return refuse('provided IP is already allocated')
    else addresses.push(sent)
  }
  spec.clusterIPs = addresses
  return []
}

function firstFree(ranges: readonly AddressRange[], pool: AddressPool): string | undefined {
  for (const range of ranges) {
    const free = pickFree(
      range.size,
      index => range.at(index),
      ip => pool.isAddressTaken(ip),
    )
    if (free !== undefined) return free
  }
  return undefined
}

function allocatePorts(spec: ServiceSpec, stored: ServiceSpec | undefined, pool: AddressPool): FieldError[] {
  const { ports = [] } = spec
  const own = new Set((stored?.ports ?? []).flatMap(({ nodePort = 0 }) => (nodePort === 0 ? [] : [nodePort])))
  /** Node ports of a new Service by port number: ports that differ only in protocol share one. */
  const shared = new Map<number, number>()
  if (stored === undefined)
    for (const { port, nodePort } of ports) if (nodePort && !shared.has(port)) shared.set(port, nodePort)
  const given = new Map<number, ServicePort>()
  const reserved = new Set([...own, ...ports.map(({ nodePort = 0 }) => nodePort)])

  for (const [i, port] of ports.entries()) {
    const { nodePort: asked = 0 } = port
    const field = `spec.ports[${i}].nodePort`
    const wanted = asked || (needsNodePort(spec) ? (shared.get(port.port) ?? 0) : 0)
    if (wanted !== 0) {
      const why = own.has(wanted) ? undefined : portProblem(wanted, given.get(wanted), port, stored, pool)
      if (why !== undefined) return [invalidValue(field, wanted, why)]
      port.nodePort = wanted
    } else if (needsNodePort(spec)) {
      const free = freePort(pool, reserved, withoutOwn(given.keys(), own))
      if (free === undefined) return [invalidValue(field, 0, 'failed to allocate a nodePort: range is full')]
      port.nodePort = free
      reserved.add(free)
      if (stored === undefined) shared.set(port.port, free)
    }
    if (port.nodePort) given.set(port.nodePort, port)
  }
  return []
}

/** Node ports of this request that the Service did not have before. */
const withoutOwn = (ports: Iterable<number>, own: ReadonlySet<number>): number[] =>
  [...ports].filter(port => port !== 0 && !own.has(port))

/** Why a node port cannot be allocated. `twin` is a port of the same Service that has it already. */
function portProblem(
  nodePort: number,
  twin: ServicePort | undefined,
  port: ServicePort,
  stored: ServiceSpec | undefined,
  pool: AddressPool,
): string | undefined {
  if (twin !== undefined && (stored !== undefined || twin.port === port.port)) return undefined
  const outside = rangeProblem(nodePort, pool)
  if (outside !== undefined) return outside
  return twin !== undefined || pool.isNodePortTaken(nodePort) ? 'provided port is already allocated' : undefined
}

/** A dry run accepts ports outside of the range, because it returns such ports itself, and they may be sent again. */
function rangeProblem(nodePort: number, { isDryRun, nodePorts }: AddressPool): string | undefined {
  const { first, last } = nodePorts
  return !isDryRun && (nodePort < first || nodePort > last)
    ? `provided port is not in the valid range. The range of valid ports is ${first}-${last}`
    : undefined
}

/** The first node port of a dry run is the next one. */
const beforeDryRunPorts = 32768

/** A free node port. A dry run returns the one after the highest of this request. */
function freePort(pool: AddressPool, exceptions: ReadonlySet<number>, got: Iterable<number>): number | undefined {
  if (pool.isDryRun) {
    let highest: number | undefined
    for (const port of got) if (highest === undefined || port > highest) highest = port
    return (highest ?? beforeDryRunPorts) + 1
  }
  const { first, last } = pool.nodePorts
  const picked = pickFree(
    BigInt(last - first + 1),
    index => String(first + Number(index)),
    port => exceptions.has(Number(port)) || pool.isNodePortTaken(Number(port)),
  )
  return picked === undefined ? undefined : Number(picked)
}

function allocateHealthCheckPort(spec: ServiceSpec, stored: ServiceSpec | undefined, pool: AddressPool): FieldError[] {
  // An existing port is immutable on updates.
  if (!needsHealthCheckPort(spec) || (stored && needsHealthCheckPort(stored))) return []
  const field = 'spec.healthCheckNodePort'
  const { healthCheckNodePort: asked = 0, ports = [] } = spec
  const own = new Set(ports.map(({ nodePort = 0 }) => nodePort))
  if (asked !== 0) {
    const isTaken = own.has(asked) || pool.isNodePortTaken(asked)
    const why = rangeProblem(asked, pool) ?? (isTaken ? 'provided port is already allocated' : undefined)
    return why === undefined ? [] : [invalidValue(field, asked, why)]
  }
  const before = new Set((stored?.ports ?? []).map(({ nodePort = 0 }) => nodePort))
  const free = freePort(pool, own, withoutOwn(own, before))
  if (free === undefined) return [invalidValue(field, 0, 'failed to allocate a nodePort: range is full')]
  spec.healthCheckNodePort = free
  return []
}

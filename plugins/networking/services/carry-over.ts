import { isDeepStrictEqual } from 'node:util'
import type { ServedLevel } from 'orch/sdk'
import type { ServiceSpec } from 'orch/sdk/core'
import {
  hasTrafficPolicy,
  isExternallyReachable,
  isExternalName,
  needsClusterIp,
  needsHealthCheckPort,
} from './service-kinds.js'

/** `clusterIP` and the first of `clusterIPs` are one value; the one that the client changed wins. */
function alignClusterIps(sent: ServiceSpec, stored: ServiceSpec | undefined): void {
  if (stored === undefined) {
    if (sent.clusterIP && (sent.clusterIPs ?? []).length === 0) sent.clusterIPs = [sent.clusterIP]
    return
  }
  // An old client, which does not send the list and did not change the address.
  if ((sent.clusterIPs ?? []).length === 0 && sent.clusterIP && sent.clusterIP === stored.clusterIP)
    sent.clusterIPs = stored.clusterIPs
  const [storedFirst] = stored.clusterIPs ?? []
  const isSingleChanged = (sent.clusterIP ?? '') !== (stored.clusterIP ?? '')
  const isListSame = isDeepStrictEqual(sent.clusterIPs ?? [], stored.clusterIPs ?? [])
  if (!isSingleChanged || !isListSame) return
  // An old client, which changed only the single field.
  if (!sent.clusterIP) delete sent.clusterIPs
  else if (storedFirst !== sent.clusterIP) sent.clusterIPs = [sent.clusterIP]
}

/** Allocations are kept, even if an old client leaves them out. */
function keepAllocated(sent: ServiceSpec, stored: ServiceSpec): void {
  if (needsClusterIp(sent) && needsClusterIp(stored)) {
    if (!sent.clusterIP) sent.clusterIP = stored.clusterIP
    if ((sent.clusterIPs ?? []).length === 0)
      sent.clusterIPs = sent.clusterIP === stored.clusterIP ? stored.clusterIPs : [sent.clusterIP ?? '']
  }
  if (isExternallyReachable(sent) && isExternallyReachable(stored)) {
    // By name: a port that only changed its number is still the same.
    const before = new Map((stored.ports ?? []).map(({ name = '', nodePort }) => [name, nodePort]))
    const taken = new Set((sent.ports ?? []).map(({ nodePort }) => nodePort))
    for (const port of sent.ports ?? []) {
      const old = before.get(port.name ?? '')
      if (!port.nodePort && old && !taken.has(old)) port.nodePort = old
    }
  }
  if (needsHealthCheckPort(sent) && needsHealthCheckPort(stored))
    sent.healthCheckNodePort ||= stored.healthCheckNodePort
}

const nodePortsOf = ({ ports = [] }: ServiceSpec) =>
  ports.flatMap(({ nodePort = 0 }) => (nodePort === 0 ? [] : [nodePort]))

/** A change of type drops the fields that only the old type has, unless the client changed them. */
function dropOtherTypes(sent: ServiceSpec, stored: ServiceSpec, level: ServedLevel): void {
  const isSame = (field: keyof ServiceSpec) => isDeepStrictEqual(sent[field], stored[field])
  const drop = (...fields: (keyof ServiceSpec)[]) => {
    if (fields.every(isSame)) for (const field of fields) delete sent[field]
  }
  if (needsClusterIp(stored) && isExternalName(sent)) {
    drop('clusterIP', 'clusterIPs')
    drop('ipFamilies')
    drop('ipFamilyPolicy')
  }
  if (isExternallyReachable(stored) && !isExternallyReachable(sent)) {
    const before = new Set(nodePortsOf(stored))
    // Ports may be added, removed and changed; only a new number counts as requested.
    if (nodePortsOf(sent).every(port => before.has(port))) for (const port of sent.ports ?? []) delete port.nodePort
  }
  if (needsHealthCheckPort(stored) && !needsHealthCheckPort(sent)) drop('healthCheckNodePort')
  if (stored.type === 'LoadBalancer' && sent.type !== 'LoadBalancer') {
    drop('allocateLoadBalancerNodePorts')
    drop('loadBalancerClass')
  }
  if (hasTrafficPolicy(stored, level) && !hasTrafficPolicy(sent, level)) drop('externalTrafficPolicy')
}

/** Carries the allocations of the stored Service over into the sent one. Idempotent. */
export function carryOver(sent: ServiceSpec, stored: ServiceSpec | undefined, level: ServedLevel): void {
  alignClusterIps(sent, stored)
  if (stored === undefined) return
  dropOtherTypes(sent, stored, level)
  keepAllocated(sent, stored)
}

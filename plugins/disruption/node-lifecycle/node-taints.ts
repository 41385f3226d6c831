import type { Vendor } from 'orch/sdk'
import { timestampOf } from 'orch/sdk/controllers'
import type { Taint } from 'orch/sdk/core'
import { readyOf, type WatchedNode } from './node-health.js'

/** Which condition, when it has which status, becomes which taint. */
const causes: readonly (readonly [condition: string, status: string, taint: string])[] = [
  ['Ready', 'False', 'not-ready'],
  ['Ready', 'Unknown', 'unreachable'],
  ['MemoryPressure', 'True', 'memory-pressure'],
  ['DiskPressure', 'True', 'disk-pressure'],
  ['PIDPressure', 'True', 'pid-pressure'],
  ['NetworkUnavailable', 'True', 'network-unavailable'],
]
const unschedulable = 'unschedulable'
/** Those that also make Pods leave. */
const evicting = ['not-ready', 'unreachable']
const nodeTaint = (vendor: Vendor, name: string) => vendor.qualify(name, 'node')

/** Taints that keep new Pods away, as the conditions of a node and its owner want them. Those of others stay. */
function schedulingTaints({ spec, status }: WatchedNode, vendor: Vendor): Taint[] {
  const names = causes
    .filter(([type, said]) => status?.conditions?.some(one => one.type === type && one.status === said))
    .map(([, , taint]) => taint)
  return [...names, ...(spec?.unschedulable ? [unschedulable] : [])].map(name => ({
    key: nodeTaint(vendor, name),
    effect: 'NoSchedule',
  }))
}

/** The taint that makes Pods leave a node in this state. */
export function evictingTaint(node: WatchedNode): string | undefined {
  const ready = readyOf(node)
  if (!ready || ready.status === 'True') return undefined
  return ready.status === 'Unknown' ? 'unreachable' : 'not-ready'
}

const isOurs = ({ key, effect }: Taint, names: readonly string[], ofEffect: string, vendor: Vendor) =>
  effect === ofEffect && names.some(name => nodeTaint(vendor, name) === key)

/** Does it have one of them already? Then which of them is only a matter of words. */
export const isEvicting = ({ spec }: WatchedNode, vendor: Vendor): boolean =>
  (spec?.taints ?? []).some(taint => isOurs(taint, evicting, 'NoExecute', vendor))

/** The taints that a node should have; undefined when it has them. `evict` names the taint that makes Pods leave, if they are to. */
export function taintsOf(
  node: WatchedNode,
  evict: string | undefined,
  vendor: Vendor,
  now: number,
): Taint[] | undefined {
  const before = node.spec?.taints ?? []
  const managed = [...new Set([...causes.map(([, , taint]) => taint), unschedulable])]
  const others = before.filter(
    taint => !isOurs(taint, managed, 'NoSchedule', vendor) && !isOurs(taint, evicting, 'NoExecute', vendor),
  )
  const leave = evict ? [{ key: nodeTaint(vendor, evict), effect: 'NoExecute', timeAdded: timestampOf(now) }] : []
  const wanted = [...schedulingTaints(node, vendor), ...leave]
  const isThere = ({ key, effect }: Taint) => before.find(one => one.key === key && one.effect === effect)
  if (wanted.every(isThere) && before.length === others.length + wanted.length) return undefined
  return [...others, ...wanted.map(taint => isThere(taint) ?? taint)]
}

import type { Vendor } from 'orch/sdk'
import { timestampOf } from 'orch/sdk'
import { isSchedulingTaint, schedulingTaints, type Taint } from 'orch/sdk/core'
import { readyOf, type WatchedNode } from './node-health.js'

/** Taints that also evict Pods. */
const evicting = ['not-ready', 'unreachable']
const nodeTaint = (vendor: Vendor, name: string) => vendor.qualify(name, 'node')

/** The taint that evicts Pods from a node in this state. */
export function evictingTaint(node: WatchedNode): string | undefined {
  const ready = readyOf(node)
  if (!ready || ready.status === 'True') return undefined
  return ready.status === 'Unknown' ? 'unreachable' : 'not-ready'
}

const isEvictingTaint = ({ key, effect }: Taint, vendor: Vendor) =>
  effect === 'NoExecute' && evicting.some(name => nodeTaint(vendor, name) === key)

/** Whether Pods are already being evicted from the node. */
export const isEvicting = ({ spec }: WatchedNode, vendor: Vendor): boolean =>
  (spec?.taints ?? []).some(taint => isEvictingTaint(taint, vendor))

/** The taints that a node should have; undefined if it has them. `evict` is the taint that evicts Pods, if any. */
export function taintsOf(
  node: WatchedNode,
  evict: string | undefined,
  vendor: Vendor,
  now: number,
): Taint[] | undefined {
  const keyOf = (name: string) => nodeTaint(vendor, name)
  const before = node.spec?.taints ?? []
  const others = before.filter(taint => !isSchedulingTaint(taint, keyOf) && !isEvictingTaint(taint, vendor))
  const evictingTaints = evict
    ? [{ key: nodeTaint(vendor, evict), effect: 'NoExecute', timeAdded: timestampOf(now) }]
    : []
  const wanted = [...schedulingTaints(node, keyOf), ...evictingTaints]
  const findExisting = ({ key, effect }: Taint) => before.find(one => one.key === key && one.effect === effect)
  if (wanted.every(findExisting) && before.length === others.length + wanted.length) return undefined
  return [...others, ...wanted.map(taint => findExisting(taint) ?? taint)]
}

import type { Taint } from './taints.js'

/** A condition of a Node, as control loops read and write it. */
export interface NodeCondition {
  readonly type: string
  readonly status: string
  readonly reason?: string
  readonly message?: string
  readonly lastHeartbeatTime?: string
  readonly lastTransitionTime?: string
}

/** The part of a Node that determines which Pods may run on it. */
export interface NodeState {
  spec?: { taints?: Taint[]; unschedulable?: boolean }
  status?: { conditions?: NodeCondition[] }
}

/** Which condition with which status becomes which taint. */
const causes: readonly (readonly [condition: string, status: string, taint: string])[] = [
  ['Ready', 'False', 'not-ready'],
  ['Ready', 'Unknown', 'unreachable'],
  ['MemoryPressure', 'True', 'memory-pressure'],
  ['DiskPressure', 'True', 'disk-pressure'],
  ['PIDPressure', 'True', 'pid-pressure'],
  ['NetworkUnavailable', 'True', 'network-unavailable'],
]
const unschedulable = 'unschedulable'
const taintNames = [...new Set([...causes.map(([, , taint]) => taint), unschedulable])]
const effect = 'NoSchedule'

/** The taints that keep new Pods off a node, by its conditions, and if it is cordoned. `keyOf` makes the key of a taint from its name. */
export function schedulingTaints({ spec, status }: NodeState, keyOf: (name: string) => string): Taint[] {
  const names = causes
    .filter(([type, value]) => status?.conditions?.some(one => one.type === type && one.status === value))
    .map(([, , taint]) => taint)
  return [...names, ...(spec?.unschedulable ? [unschedulable] : [])].map(name => ({ key: keyOf(name), effect }))
}

/** Whether `schedulingTaints` decides about the taint. Other taints are not changed. */
export const isSchedulingTaint = (taint: Taint, keyOf: (name: string) => string): boolean =>
  taint.effect === effect && taintNames.some(name => keyOf(name) === taint.key)

import type { ApiObject } from 'orch/sdk'
import { timestampOf } from 'orch/sdk'
import type { Lease, NodeCondition, NodeState } from 'orch/sdk/core'

/** The fields of a Node that are read and written. */
export type WatchedNode = ApiObject & NodeState

export const readyOf = ({ status }: WatchedNode): NodeCondition | undefined =>
  status?.conditions?.find(({ type }) => type === 'Ready')

/** The conditions that become unknown when a node stops reporting. */
const reported = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure']

/** The conditions of a node that has not reported for too long; undefined if they need no change. */
export function unknownConditions(node: WatchedNode, agent: string, now: number): NodeCondition[] | undefined {
  const before = node.status?.conditions ?? []
  const lastTransitionTime = timestampOf(now)
  const stopped = {
    status: 'Unknown',
    reason: 'NodeStatusUnknown',
    message: `${agent} stopped posting node status.`,
    lastTransitionTime,
  }
  const never = {
    ...stopped,
    reason: 'NodeStatusNeverUpdated',
    message: `${agent} never posted node status.`,
    lastHeartbeatTime: node.metadata.creationTimestamp ?? lastTransitionTime,
  }
  const isLost = ({ type, status }: NodeCondition) => reported.includes(type) && status !== 'Unknown'
  const missing = reported.filter(type => !before.some(condition => condition.type === type))
  if (!before.some(isLost) && missing.length === 0) return undefined
  return [
    ...before.map(condition => (isLost(condition) ? { ...condition, ...stopped } : condition)),
    ...missing.map(type => ({ type, ...never })),
  ]
}

interface Report {
  readonly of: string
  /** When it was observed, by the clock of this server: clocks of nodes may be wrong. */
  readonly at: number
}

/** Tracks when nodes last reported: a renewed lease, or a heartbeat of their conditions. */
export class LastReports {
  readonly #reports = new Map<string, Report>()

  /**
   * How long a node has not reported. A node counts as just reported when it is first observed, unless it has never
   * reported.
   */
  silentMs(node: WatchedNode, lease: (ApiObject & Lease) | undefined, now: number): number {
    const { uid = '', creationTimestamp = '' } = node.metadata
    const ready = readyOf(node)
    const of = [ready?.lastHeartbeatTime, lease?.spec?.renewTime].join(' ')
    const known = this.#reports.get(uid)
    if (known?.of === of) return now - known.at
    const hasNeverReported = !known && !ready && !lease
    const createdAt = Date.parse(creationTimestamp)
    const at = hasNeverReported && !Number.isNaN(createdAt) ? createdAt : now
    this.#reports.set(uid, { of, at })
    return now - at
  }
  /** Removes all other nodes. */
  keepOnly(uids: ReadonlySet<string>): void {
    for (const uid of this.#reports.keys()) if (!uids.has(uid)) this.#reports.delete(uid)
  }
}

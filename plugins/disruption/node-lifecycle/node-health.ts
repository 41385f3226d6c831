import type { ApiObject } from 'orch/sdk'
import { timestampOf } from 'orch/sdk'
import type { Lease, NodeCondition, NodeState } from 'orch/sdk/core'

/** What is read and written of a Node. */
export type WatchedNode = ApiObject & NodeState

export const readyOf = ({ status }: WatchedNode): NodeCondition | undefined =>
  status?.conditions?.find(({ type }) => type === 'Ready')

/** The conditions that become unknown when a node stops reporting. */
const reported = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure']

/** The conditions of a node that has been silent for too long; undefined if they say so already. */
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

interface Sign {
  readonly of: string
  /** When it was noticed, by the clock of this server: those of machines may be wrong. */
  readonly at: number
}

/** Remembers when nodes last gave a sign of life: a renewed lease, or a heartbeat of their conditions. */
export class SignsOfLife {
  readonly #signs = new Map<string, Sign>()

  /** How long a node has been silent. Who is seen for the first time has just spoken, unless it never did. */
  silentMs(node: WatchedNode, lease: (ApiObject & Lease) | undefined, now: number): number {
    const { uid = '', creationTimestamp = '' } = node.metadata
    const ready = readyOf(node)
    const of = [ready?.lastHeartbeatTime, lease?.spec?.renewTime].join(' ')
    const known = this.#signs.get(uid)
    if (known?.of === of) return now - known.at
    const isMute = !known && !ready && !lease
    const madeAt = Date.parse(creationTimestamp)
    const at = isMute && !Number.isNaN(madeAt) ? madeAt : now
    this.#signs.set(uid, { of, at })
    return now - at
  }
  /** Forgets all others. */
  keepOnly(uids: ReadonlySet<string>): void {
    for (const uid of this.#signs.keys()) if (!uids.has(uid)) this.#signs.delete(uid)
  }
}

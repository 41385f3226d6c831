import type { ApiObject, Vendor } from 'orch/sdk'
import { isPodFinished } from 'orch/sdk/controllers'
import type { Pod, Taint } from 'orch/sdk/core'

/** The fields of a Node that are read. */
export type GarbageNode = ApiObject & {
  spec?: { taints?: Taint[] }
  status?: { conditions?: { type: string; status: string }[] }
}
type StoredPod = ApiObject & Pod

/** Whether a node that is not ready was marked as out of service. */
export const isOutOfService = ({ spec, status }: GarbageNode, vendor: Vendor): boolean =>
  (spec?.taints ?? []).some(({ key }) => key === vendor.qualify('out-of-service', 'node')) &&
  !status?.conditions?.some(condition => condition.type === 'Ready' && condition.status === 'True')

/** The finished Pods above the threshold: evicted ones first, then the oldest. */
export function oldestFinished(pods: readonly StoredPod[], kept: number): StoredPod[] {
  if (kept === 0) return []
  const finished = pods.filter(isPodFinished)
  return finished.length <= kept ? [] : finished.sort(byAge).slice(0, finished.length - kept)
}

const wasEvicted = ({ status }: Pod) => status?.phase === 'Failed' && status.reason === 'Evicted'
const byAge = (one: StoredPod, other: StoredPod): number =>
  Number(wasEvicted(other)) - Number(wasEvicted(one)) ||
  compare(one.metadata.creationTimestamp, other.metadata.creationTimestamp) ||
  compare(one.metadata.name, other.metadata.name)
const compare = (one = '', other = '') => (one < other ? -1 : one > other ? 1 : 0)

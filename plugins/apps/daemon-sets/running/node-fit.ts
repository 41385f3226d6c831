import type { ApiObject } from 'orch/sdk'
import { isNodeSelected, isTolerated, type PodSpec, type Taint, type Toleration } from 'orch/sdk/core'

/** What a daemon set looks at in a node. */
export interface NodeLike extends ApiObject {
  spec?: { taints?: Taint[]; unschedulable?: boolean }
}

/** Does the Pod match this node by name, node selector and required affinity? */
function isWanted(spec: PodSpec, node: NodeLike): boolean {
  if (spec.nodeName && spec.nodeName !== node.metadata.name) return false
  const labels = node.metadata.labels ?? {}
  if (!Object.entries(spec.nodeSelector ?? {}).every(([key, value]) => labels[key] === value)) return false
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms
  return terms === undefined || terms.some(term => isNodeSelected(term, node))
}

/** Should the node get a Pod, and may an existing one stay? */
export function fitOf(spec: PodSpec, tolerations: readonly Toleration[], node: NodeLike) {
  if (!isWanted(spec, node)) return { shouldRun: false, mayStay: false }
  const open = (node.spec?.taints ?? []).filter(taint => !isTolerated(taint, tolerations))
  return {
    shouldRun: !open.some(({ effect }) => effect === 'NoSchedule' || effect === 'NoExecute'),
    mayStay: !open.some(({ effect }) => effect === 'NoExecute'),
  }
}

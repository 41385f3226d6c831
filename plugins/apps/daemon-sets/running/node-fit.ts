import type { ApiObject } from 'orch/sdk'
import { isNodeSelected, isTolerated, type PodSpec, type Taint, type Toleration } from 'orch/sdk/core'

/** The parts of a node that decide whether a daemon fits. */
export interface NodeLike extends ApiObject {
  spec?: { taints?: Taint[]; unschedulable?: boolean }
}

/** Whether the Pod matches this node by name, node selector and required affinity. */
function matchesNode(spec: PodSpec, node: NodeLike): boolean {
  if (spec.nodeName && spec.nodeName !== node.metadata.name) return false
  const labels = node.metadata.labels ?? {}
  if (!Object.entries(spec.nodeSelector ?? {}).every(([key, value]) => labels[key] === value)) return false
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms
  return terms === undefined || terms.some(term => isNodeSelected(term, node))
}

/** Whether the node should get a Pod, and whether an existing one may stay. */
export function fitOf(spec: PodSpec, tolerations: readonly Toleration[], node: NodeLike) {
  if (!matchesNode(spec, node)) return { shouldRun: false, mayStay: false }
  const untolerated = (node.spec?.taints ?? []).filter(taint => !isTolerated(taint, tolerations))
  return {
    shouldRun: !untolerated.some(({ effect }) => effect === 'NoSchedule' || effect === 'NoExecute'),
    mayStay: !untolerated.some(({ effect }) => effect === 'NoExecute'),
  }
}

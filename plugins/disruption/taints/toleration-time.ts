import { isTolerated, type Taint, type Toleration } from 'orch/sdk/core'

/**
 * How long a Pod may remain on a node with these taints, in ms: 0 if it does not tolerate one of them, else the
 * shortest of its tolerationSeconds, Infinity if it has none.
 */
export function tolerationMs(taints: readonly Taint[], tolerations: readonly Toleration[] = []): number {
  let leastMs = Number.POSITIVE_INFINITY
  for (const taint of taints) {
    // The first matching toleration is used.
    const used = tolerations.find(toleration => isTolerated(taint, [toleration]))
    if (!used) return 0
    if (used.tolerationSeconds !== undefined) leastMs = Math.min(leastMs, Math.max(0, used.tolerationSeconds) * 1000)
  }
  return leastMs
}

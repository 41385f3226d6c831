import { isTolerated, type Taint, type Toleration } from 'orch/sdk/core'

/**
 * How long a Pod may stay on a node with these taints, in ms: 0 if it does not tolerate one of them, the shortest of the times that
 * its tolerations give, Infinity if none gives one.
 */
export function tolerationMs(taints: readonly Taint[], tolerations: readonly Toleration[] = []): number {
  let leastMs = Number.POSITIVE_INFINITY
  for (const taint of taints) {
    // The first toleration that fits is the one that counts.
    const used = tolerations.find(toleration => isTolerated(taint, [toleration]))
    if (!used) return 0
    if (used.tolerationSeconds !== undefined) leastMs = Math.min(leastMs, Math.max(0, used.tolerationSeconds) * 1000)
  }
  return leastMs
}

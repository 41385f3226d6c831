import { withCondition } from 'orch/sdk/controllers'
import type { Pod } from 'orch/sdk/core'

/** Sets a condition of a Pod; lastTransitionTime changes only with the status. */
export function setPodCondition(
  pod: Pod,
  {
    now,
    ...condition
  }: {
    type: string
    status: string
    reason?: string
    message?: string
    observedGeneration?: number | undefined
    now: number
  },
): void {
  pod.status = { ...pod.status, conditions: withCondition(pod.status?.conditions, condition, now) }
}

import { withCondition } from 'orch/sdk/controllers'
import type { Pod } from 'orch/sdk/core'

/** Sets a condition of a Pod; the time of its last change stays while its status does. */
export function setPodCondition(
  pod: Pod,
  {
    now,
    ...said
  }: {
    type: string
    status: string
    reason?: string
    message?: string
    observedGeneration?: number | undefined
    now: number
  },
): void {
  pod.status = { ...pod.status, conditions: withCondition(pod.status?.conditions, said, now) }
}

import { timestampOf } from 'orch/sdk'
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
  const { conditions = [] } = pod.status ?? {}
  const before = conditions.find(({ type }) => type === said.type)
  const isSame = before?.status === said.status && before.lastTransitionTime
  const lastTransitionTime = isSame ? before.lastTransitionTime : timestampOf(now)
  const condition = { ...said, lastTransitionTime } as (typeof conditions)[number]
  const next = before ? conditions.map(one => (one === before ? condition : one)) : [...conditions, condition]
  pod.status = { ...pod.status, conditions: next }
}

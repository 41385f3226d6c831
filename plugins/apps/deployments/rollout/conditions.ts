import { timestampOf } from 'orch/sdk'
import type { DeploymentCondition } from '../schema.js'

/** Adds the condition, or replaces the one of its type; returns the list unchanged if nothing differs. */
export function setCondition(
  conditions: readonly DeploymentCondition[],
  { now, ...condition }: { type: string; status: string; reason: string; message: string; now: number },
): DeploymentCondition[] {
  const before = conditions.find(({ type }) => type === condition.type)
  if (before?.status === condition.status && before.reason === condition.reason) return [...conditions]
  const time = timestampOf(now)
  const lastTransitionTime = before?.status === condition.status ? (before.lastTransitionTime ?? time) : time
  return [...withoutCondition(conditions, condition.type), { ...condition, lastUpdateTime: time, lastTransitionTime }]
}

export const withoutCondition = (conditions: readonly DeploymentCondition[], type: string): DeploymentCondition[] =>
  conditions.filter(condition => condition.type !== type)

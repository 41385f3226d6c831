import { timestampOf } from 'orch/sdk'
import type { DeploymentCondition } from '../schema.js'

/** Adds the condition, or replaces the one of its type; returns the list unchanged if nothing differs. */
export function setCondition(
  conditions: readonly DeploymentCondition[],
  { now, ...said }: { type: string; status: string; reason: string; message: string; now: number },
): DeploymentCondition[] {
  const before = conditions.find(({ type }) => type === said.type)
  if (before?.status === said.status && before.reason === said.reason) return [...conditions]
  const time = timestampOf(now)
  const lastTransitionTime = before?.status === said.status ? (before.lastTransitionTime ?? time) : time
  return [...withoutCondition(conditions, said.type), { ...said, lastUpdateTime: time, lastTransitionTime }]
}

export const withoutCondition = (conditions: readonly DeploymentCondition[], type: string): DeploymentCondition[] =>
  conditions.filter(condition => condition.type !== type)

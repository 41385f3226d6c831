import { timestampOf } from 'orch/sdk'
import type { DefinitionCondition } from '../definitions/schema.js'

export const conditionOf = (conditions: readonly DefinitionCondition[] | null | undefined, type: string) =>
  conditions?.find(condition => condition.type === type)

/** Returns the conditions with one of them set. Its transition time changes only with its status. */
export function withCondition(
  conditions: readonly DefinitionCondition[] | null | undefined,
  condition: Omit<DefinitionCondition, 'lastTransitionTime'>,
  now: number,
): DefinitionCondition[] {
  const before = conditionOf(conditions, condition.type)
  const lastTransitionTime =
    before?.status === condition.status && before.lastTransitionTime ? before.lastTransitionTime : timestampOf(now)
  const set = { ...condition, lastTransitionTime }
  if (!before) return [...(conditions ?? []), set]
  return (conditions ?? []).map(each => (each === before ? set : each))
}

export const isTrue = (conditions: readonly DefinitionCondition[] | null | undefined, type: string): boolean =>
  conditionOf(conditions, type)?.status === 'True'

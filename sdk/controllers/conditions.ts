import { timestampOf } from '../resource/timestamp.js'

interface AnyCondition {
  type: string
  status: string
  lastTransitionTime?: string | null | undefined
}

/** The conditions with this one set, in place of the one of its type. Its transition time changes only with its status. */
export function withCondition<C extends AnyCondition>(
  conditions: readonly C[] | null | undefined,
  condition: Omit<C, 'lastTransitionTime'> & AnyCondition,
  now: number,
): C[] {
  const before = conditions?.find(({ type }) => type === condition.type)
  const isSame = before?.status === condition.status && before.lastTransitionTime
  const set = { ...condition, lastTransitionTime: isSame ? before.lastTransitionTime : timestampOf(now) } as C
  if (!before) return [...(conditions ?? []), set]
  return (conditions ?? []).map(each => (each === before ? set : each))
}

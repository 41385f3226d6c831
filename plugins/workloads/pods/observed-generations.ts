import type { Pod, PodCondition } from 'orch/sdk/core'

/** Node agents that do not report which generation they saw must not erase what others reported. */
export function keepObservedGenerations(draft: Pod, stored: Pod): void {
  if (draft.status === undefined) return
  const { observedGeneration } = stored.status ?? {}
  if (observedGeneration && !draft.status.observedGeneration) draft.status = { ...draft.status, observedGeneration }
  const { conditions } = draft.status
  if (conditions) draft.status = { ...draft.status, conditions: withKept(conditions, stored.status?.conditions ?? []) }
}

/** Types may occur repeatedly, so the first of a type gets the generation of the first stored one, and so on. */
function withKept(sent: readonly PodCondition[], stored: readonly PodCondition[]): PodCondition[] {
  const seen = new Map<string, number>()
  return sent.map(condition => {
    const { type } = condition
    const nth = seen.get(type) ?? 0
    seen.set(type, nth + 1)
    const observedGeneration = stored.filter(one => one.type === type)[nth]?.observedGeneration
    return observedGeneration && !condition.observedGeneration ? { ...condition, observedGeneration } : condition
  })
}

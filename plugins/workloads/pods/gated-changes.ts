import { isDeepStrictEqual } from 'node:util'
import { addAll, type FieldError, invalidValue } from 'orch/sdk'
import type { NodeAffinity, PodSpec } from 'orch/sdk/core'

/** While a Pod has scheduling gates, its node selection may only become narrower. */
export function checkGatedChanges(sent: PodSpec, stored: PodSpec): FieldError[] {
  if ((stored.schedulingGates ?? []).length === 0) return []
  const errors: FieldError[] = []
  const before = stored.nodeSelector ?? {}
  const after = sent.nodeSelector ?? {}
  if (!Object.entries(before).every(([name, value]) => after[name] === value))
    errors.push(invalidValue('spec.nodeSelector', after, 'only additions are allowed (no mutations or deletions)'))
  const field = 'spec.affinity.nodeAffinity'
  addAll(errors, checkNodeAffinity(sent.affinity?.nodeAffinity, stored.affinity?.nodeAffinity, field))
  return errors
}

type Terms = NonNullable<NodeAffinity['requiredDuringSchedulingIgnoredDuringExecution']>['nodeSelectorTerms']

function checkNodeAffinity(
  sent: NodeAffinity | undefined,
  stored: NodeAffinity | undefined,
  field: string,
): FieldError[] {
  const before = stored?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []
  if (before.length === 0) return []
  const required = sent?.requiredDuringSchedulingIgnoredDuringExecution
  const at = `${field}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms`
  const after: Terms = required?.nodeSelectorTerms ?? []
  if (after.length !== before.length)
    return [invalidValue(at, after, 'no additions/deletions to non-empty NodeSelectorTerms list are allowed')]
  return after.flatMap((term, i) => {
    const old = before[i]!
    const keeps = (['matchExpressions', 'matchFields'] as const).every(list =>
      (old[list] ?? []).every((rule, r) => isDeepStrictEqual(term[list]?.[r], rule)),
    )
    const isEmpty = (old.matchExpressions ?? []).length === 0 && (old.matchFields ?? []).length === 0
    const isChanged = !isDeepStrictEqual(term, old)
    return keeps && !(isEmpty && isChanged)
      ? []
      : [invalidValue(`${at}[${i}]`, term, 'only additions are allowed (no mutations or deletions)')]
  })
}

/** The stored values of the fields that may change while a Pod has scheduling gates. */
export function storedGatedFields(sent: PodSpec, stored: PodSpec): Partial<PodSpec> {
  const { nodeAffinity: _, ...rest } = sent.affinity ?? {}
  const nodeAffinity = stored.affinity?.nodeAffinity
  const affinity = { ...rest, ...(nodeAffinity ? { nodeAffinity } : {}) }
  const isNone = Object.keys(affinity).length === 0 && stored.affinity === undefined
  return {
    nodeSelector: stored.nodeSelector,
    affinity: isNone ? undefined : affinity,
  } as Partial<PodSpec>
}

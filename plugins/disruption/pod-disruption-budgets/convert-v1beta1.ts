import { isDeepStrictEqual } from 'node:util'
import type { Vendor } from 'orch/sdk'
import type { PodDisruptionBudget } from './schema.js'

const emptySelectorKey = (vendor: Vendor) => vendor.qualify('deprecated-v1beta1-empty-selector-match', 'pdb')
const matchNone = (key: string) => ({ matchExpressions: [{ key, operator: 'Exists' }] })

/**
 * The requirement that matches nothing has a meaning only on its own; it is dropped if there are others. A label of the same key stays:
 * without it the selector might be empty, and match everything.
 */
export function dropMixedRequirement({ spec }: PodDisruptionBudget, vendor: Vendor): void {
  const key = emptySelectorKey(vendor)
  const { matchLabels = {}, matchExpressions = [] } = spec?.selector ?? {}
  if (spec?.selector === undefined || isDeepStrictEqual(spec.selector, matchNone(key))) return
  const expressions = matchExpressions.filter(requirement => requirement.key !== key)
  spec.selector = {
    ...(Object.keys(matchLabels).length > 0 ? { matchLabels } : {}),
    ...(expressions.length > 0 ? { matchExpressions: expressions } : {}),
  }
}

/**
 * An empty selector covers every Pod in v1 and none in v1beta1. A requirement on a label that no Pod has preserves the
 * meaning when a budget is read in the other version.
 */
export const convertV1beta1 = (vendor: Vendor) => {
  const key = emptySelectorKey(vendor)
  const none = matchNone(key)
  const every = { matchExpressions: [{ key, operator: 'DoesNotExist' }] }
  const isEmpty = (selector: object) => Object.keys(selector).length === 0
  const isSame = (selector: object, other: object) => JSON.stringify(selector) === JSON.stringify(other)
  const withSelector = (budget: PodDisruptionBudget, empty: object, meansEmpty: object): PodDisruptionBudget => {
    const selector = budget.spec?.selector
    if (selector === undefined) return budget
    const converted = isEmpty(selector) ? empty : isSame(selector, meansEmpty) ? {} : selector
    return { ...budget, spec: { ...budget.spec, selector: converted } }
  }
  return {
    toStorage: (budget: PodDisruptionBudget) => withSelector(budget, none, every),
    fromStorage: (budget: PodDisruptionBudget) => withSelector(budget, every, none),
  }
}

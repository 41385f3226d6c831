import { addAll, type FieldError, invalidValue, isValidPercent, type Strategy, validateLabelSelector } from 'orch/sdk'
import { validateConditions } from './condition-rules.js'
import { dropMixedRequirement } from './convert-v1beta1.js'
import type { PodDisruptionBudget } from './schema.js'

export const mainStrategy = {
  prepareForCreate(draft, { vendor }) {
    dropMixedRequirement(draft, vendor)
    draft.status = noStatus()
  },
  prepareForUpdate(draft, stored, { vendor }) {
    dropMixedRequirement(draft, vendor)
    draft.status = stored.status
  },
  validate: validateBudget,
  validateUpdate: validateBudget,
  resetFields: ['status'],
  unconditionalUpdate: false,
} satisfies Strategy<PodDisruptionBudget>

const numbers = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'] as const

export const statusStrategy = {
  prepareForUpdate(draft, stored) {
    draft.spec = stored.spec
  },
  validateUpdate: ({ status }, _, { requestVersion }) => [
    ...validateConditions(status?.conditions, 'status.conditions'),
    // The older version had no rules for the numbers, and gets none.
    ...(requestVersion === 'v1beta1' ? [] : numbers)
      .filter(name => (status?.[name] ?? 0) < 0)
      .map(name => invalidValue(`status.${name}`, status?.[name], 'must be greater than or equal to 0')),
  ],
  resetFields: ['spec'],
  unconditionalUpdate: false,
} satisfies Strategy<PodDisruptionBudget>

const noStatus = () => ({ disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 })

function validateBudget({ spec = {} }: PodDisruptionBudget): FieldError[] {
  const { minAvailable, maxUnavailable, selector } = spec
  const errors: FieldError[] = []
  if (minAvailable !== undefined && maxUnavailable !== undefined)
    errors.push(invalidValue('spec', spec, 'minAvailable and maxUnavailable cannot be both set'))
  addAll(errors, validateShare(minAvailable, 'spec.minAvailable'), validateShare(maxUnavailable, 'spec.maxUnavailable'))
  return [...errors, ...validateLabelSelector(selector, 'spec.selector')]
}

/** A number of Pods, or a percentage of them up to all. */
function validateShare(share: number | string | undefined, field: string): FieldError[] {
  if (share === undefined) return []
  if (typeof share === 'number')
    return share < 0 ? [invalidValue(field, share, 'must be greater than or equal to 0')] : []
  const broken = isValidPercent(share)
  if (broken.length > 0) return broken.map(text => invalidValue(field, share, text))
  return Number(share.slice(0, -1)) > 100 ? [invalidValue(field, share, 'must not be greater than 100%')] : []
}

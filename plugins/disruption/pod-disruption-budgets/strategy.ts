import { addAll, type FieldError, invalidValue, notSupported, strategyForSpec, strategyForStatus } from 'orch/sdk'
import { checksSelectorValues } from 'orch/sdk/core'
import { isValidPercent, validateConditions, validateLabelSelector } from 'orch/sdk/validation'
import { dropMixedRequirement } from './convert-v1beta1.js'
import type { PodDisruptionBudget } from './schema.js'

const noStatus = () => ({ disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 })

export const mainStrategy = strategyForSpec<PodDisruptionBudget>({
  newStatus: noStatus,
  prepareForCreate(draft, { vendor }) {
    dropMixedRequirement(draft, vendor)
  },
  prepareForUpdate(draft, _, { vendor }) {
    dropMixedRequirement(draft, vendor)
  },
  validate: (budget, { vendor: { level } }) => validateBudget(budget, checksSelectorValues(level)),
  validateUpdate: (sent, stored, { vendor: { level } }) =>
    validateBudget(sent, checksSelectorValues(level, stored.spec?.selector)),
  unconditionalUpdate: false,
  metadataChecks: { change: 0, object: 0 },
})

const numbers = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'] as const

export const statusStrategy = strategyForStatus<PodDisruptionBudget>({
  validateUpdate: ({ status }, _, { requestVersion }) => [
    ...validateConditions(status?.conditions, 'status.conditions'),
    // v1beta1 does not validate these counts.
    ...(requestVersion === 'v1beta1' ? [] : numbers)
      .filter(name => (status?.[name] ?? 0) < 0)
      .map(name => invalidValue(`status.${name}`, status?.[name], 'must be greater than or equal to 0')),
  ],
  unconditionalUpdate: false,
  metadataChecks: { change: 0, object: 0 },
})

const evictionPolicies = ['AlwaysAllow', 'IfHealthyBudget']

function validateBudget({ spec = {} }: PodDisruptionBudget, checksValues: boolean): FieldError[] {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy: policy } = spec
  const errors: FieldError[] = []
  if (minAvailable !== undefined && maxUnavailable !== undefined)
    errors.push(invalidValue('spec', spec, 'minAvailable and maxUnavailable cannot be both set'))
  addAll(errors, validateShare(minAvailable, 'spec.minAvailable'), validateShare(maxUnavailable, 'spec.maxUnavailable'))
  addAll(errors, validateLabelSelector(selector, 'spec.selector', { checksValues }))
  if (policy !== undefined && !evictionPolicies.includes(policy))
    errors.push(notSupported('spec.unhealthyPodEvictionPolicy', policy, evictionPolicies))
  return errors
}

/** A number of Pods, or a percentage of at most 100. */
function validateShare(share: number | string | undefined, field: string): FieldError[] {
  if (share === undefined) return []
  if (typeof share === 'number')
    return share < 0 ? [invalidValue(field, share, 'must be greater than or equal to 0')] : []
  const broken = isValidPercent(share)
  if (broken.length > 0) return broken.map(text => invalidValue(field, share, text))
  return Number(share.slice(0, -1)) > 100 ? [invalidValue(field, share, 'must not be greater than 100%')] : []
}

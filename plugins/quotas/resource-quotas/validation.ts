import { type FieldError, invalidValue, requiredValue, type Vendor } from 'orch/sdk'
import { isStandardResource, validateResourceAmount, validateResourceName } from 'orch/sdk/core'
import { classScopes } from '../differences.js'
import type { ResourceQuota, ResourceQuotaSpec, ScopedResourceSelectorRequirement } from './schema.js'

/** Scopes of Pods without values. */
const podScopes: readonly string[] = [
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'CrossNamespacePodAffinity',
]
const allScopes: readonly string[] = [...podScopes, 'PriorityClass']
const classScope = 'VolumeAttributesClass'
/** Resources that claims use. */
const claimResources = ['persistentvolumeclaims', 'requests.storage']
/** Resources that Pods use. */
const podResources = ['pods', 'cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory']

const isStandardScope = (scope: string, { level }: Vendor): boolean =>
  allScopes.includes(scope) || (scope === classScope && level.has(classScopes))

/** Whether quotas can limit a resource, given its name without a domain. */
const isQuotaResource = (name: string): boolean => isStandardResource(name) && name !== 'storage'

/** Whether a quota with this scope can limit this resource. Resources with a domain are not checked. */
function isScopeApplicable(scope: string, resource: string): boolean {
  if (!isQuotaResource(resource)) return true
  if (scope === classScope) return claimResources.includes(resource)
  if (scope === 'BestEffort') return resource === 'pods'
  return allScopes.includes(scope) ? podResources.includes(resource) : true
}

const conflicting = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const

export const validateResourceQuota = (quota: ResourceQuota, vendor: Vendor): FieldError[] => [
  ...validateAmounts(quota.spec?.hard, 'spec.hard', vendor),
  ...validateScopes(quota.spec ?? {}, vendor),
  ...validateScopeSelector(quota.spec ?? {}, vendor),
  ...validateResourceQuotaStatus(quota, vendor),
]

/** Scopes are immutable, because the recorded usage depends on them. */
export function validateResourceQuotaUpdate(sent: ResourceQuota, stored: ResourceQuota, vendor: Vendor): FieldError[] {
  const scopes = (quota: ResourceQuota) => [...new Set(quota.spec?.scopes ?? [])].sort().join()
  const errors = validateResourceQuota(sent, vendor)
  if (scopes(sent) !== scopes(stored)) errors.push(invalidValue('spec.scopes', sent.spec?.scopes, 'field is immutable'))
  return errors
}

export const validateResourceQuotaStatus = ({ status }: ResourceQuota, vendor: Vendor): FieldError[] => [
  ...validateAmounts(status?.hard, 'status.hard', vendor),
  ...validateAmounts(status?.used, 'status.used', vendor),
]

function validateAmounts(list: Readonly<Record<string, string>> = {}, field: string, vendor: Vendor): FieldError[] {
  return Object.entries(list).flatMap(([name, amount]) => {
    const at = `${field}[${name}]`
    const isKnown = name.includes('/') || isQuotaResource(name)
    return [
      ...validateResourceName(name, at),
      ...(isKnown ? [] : [invalidValue(at, name, 'must be a standard resource for quotas')]),
      ...validateResourceAmount(name, amount, at, vendor),
    ]
  })
}

function validateScopes({ scopes = [], hard = {} }: ResourceQuotaSpec, vendor: Vendor): FieldError[] {
  const broken = (why: string) => invalidValue('spec.scopes', scopes, why)
  const checked = Object.keys(hard).filter(isQuotaResource)
  const errors = scopes.flatMap(scope => {
    if (!isStandardScope(scope, vendor)) return [broken('unsupported scope')]
    return checked
      .filter(name => !isScopeApplicable(scope, name))
      .map(() => broken('unsupported scope applied to resource'))
  })
  for (const pair of conflicting)
    if (pair.every(scope => scopes.includes(scope))) errors.push(broken('conflicting scopes'))
  return errors
}

function validateScopeSelector({ scopeSelector, hard = {} }: ResourceQuotaSpec, vendor: Vendor): FieldError[] {
  const field = 'spec.scopeSelector.matchExpressions'
  const requirements = scopeSelector?.matchExpressions ?? []
  const checked = Object.keys(hard).filter(isQuotaResource)
  const errors = requirements.flatMap(requirement => validateRequirement(requirement, field, checked, vendor))
  for (const pair of conflicting)
    if (pair.every(scope => requirements.some(({ scopeName }) => scopeName === scope)))
      errors.push(invalidValue(field, requirements, 'conflicting scopes'))
  return errors
}

function validateRequirement(
  requirement: ScopedResourceSelectorRequirement,
  field: string,
  resources: readonly string[],
  vendor: Vendor,
) {
  const { scopeName, operator, values = [] } = requirement
  const errors: FieldError[] = []
  const isKnown = isStandardScope(scopeName, vendor)
  if (!isKnown) errors.push(invalidValue(`${field}.scopeName`, scopeName, 'unsupported scope'))
  for (const name of resources)
    if (isKnown && !isScopeApplicable(scopeName, name))
      errors.push(invalidValue(field, requirement, 'unsupported scope applied to resource'))
  if (podScopes.includes(scopeName) && operator !== 'Exists')
    errors.push(
      invalidValue(`${field}.operator`, operator, `must be 'Exist' when scope is any of ${podScopes.join(', ')}`),
    )
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0)
      errors.push(
        requiredValue(
          `${field}.values`,
          "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
        ),
      )
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0)
      errors.push(
        invalidValue(
          `${field}.values`,
          values,
          "must be no value when `operator` is 'Exists' or 'DoesNotExist' for scope selector",
        ),
      )
  } else errors.push(invalidValue(`${field}.operator`, operator, 'not a valid selector operator'))
  return errors
}

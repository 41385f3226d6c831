import type { Vendor } from '../../plugin/vendor.js'
import { addAll, type FieldError, forbiddenField, invalidValue, notSupported } from '../../resource/field-errors.js'
import { ownValue } from '../../resource/own-value.js'
import { containerTotals, isPodLevelResource } from '../pod-resources.js'
import type { PodSpec } from '../pod-spec.js'
import { compareAmountTexts, isHugePagesResource, validateResourceName } from '../validation/resource-quantities.js'
import { validateRequirements } from '../validation/resource-requirements-rules.js'
import { checkNoPodLevelClaims, validateClaimNames } from './validate-claims.js'

const supported = ['cpu', 'hugepages-', 'memory']

function checkName(name: string, field: string): FieldError[] {
  const errors = validateResourceName(name, field)
  return errors.length > 0 || isPodLevelResource(name) ? errors : [notSupported(field, name, supported)]
}

/** Validates the resources of a whole Pod: its requests cover those of its containers together, and no container exceeds its limits. */
export function validatePodResources(spec: PodSpec, field: string, vendor: Vendor): FieldError[] {
  const { resources } = spec
  if (resources === undefined) return []
  const at = `${field}.resources`
  if (spec.os?.name === 'windows') return [forbiddenField(at, 'may not be set for a windows pod')]
  const known = new Set((spec.resourceClaims ?? []).map(({ name }) => name))
  const errors = [
    ...validateClaimNames(resources.claims, known, `${at}.claims`),
    ...checkNoPodLevelClaims(resources.claims, `${at}.claims`),
  ]
  addAll(errors, validateRequirements(resources, at, vendor, checkName))
  const { requests = {}, limits = {} } = resources
  for (const [name, total] of Object.entries(containerTotals(spec, 'requests'))) {
    const own = ownValue(requests, name)
    if (own !== undefined && compareAmountTexts(total, own) > 0)
      errors.push(
        invalidValue(
          `${at}.requests[${name}]`,
          own,
          `must be greater than or equal to aggregate container requests of ${total}`,
        ),
      )
  }
  for (const [name, total] of Object.entries(containerTotals(spec, 'limits'))) {
    const own = isHugePagesResource(name) ? ownValue(limits, name) : undefined
    if (own !== undefined && compareAmountTexts(total, own) > 0)
      errors.push(
        invalidValue(
          `${at}.limits[${name}]`,
          own,
          `must be greater than or equal to aggregate container limits of ${total}`,
        ),
      )
  }
  for (const [i, container] of (spec.containers ?? []).entries())
    for (const [name, limit] of Object.entries(container.resources?.limits ?? {})) {
      const own = ownValue(limits, name)
      // Kubernetes reports the container below the resources.
      if (own !== undefined && compareAmountTexts(limit, own) > 0)
        errors.push(
          invalidValue(
            `${at}.containers[${i}][${name}].limits`,
            limit,
            `must be less than or equal to pod limits of ${own}`,
          ),
        )
    }
  return errors
}

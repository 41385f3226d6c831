import { type FieldError, forbiddenField, invalidValue } from 'orch/sdk'
import type { Service } from 'orch/sdk/core'
import { isValidCidr } from 'orch/sdk/validation'
import { rangeRule } from '../address-rules.js'
import { rangesAreReportedByIndex } from '../differences.js'
import type { ServiceNames } from './names.js'
import { specOf } from './service-kinds.js'

/** The ranges from which a load balancer takes requests: in a field, or in its deprecated annotation. */
export function validateSourceRanges(service: Service, stored: Service | undefined, names: ServiceNames): FieldError[] {
  const { sourceRangesAnnotation } = names
  const { type, loadBalancerSourceRanges: ranges = [] } = specOf(service)
  const annotation = annotationOf(service, names)
  if (ranges.length === 0 && annotation === undefined) return []
  const field = ranges.length > 0 ? 'spec.LoadBalancerSourceRanges' : `metadata.annotations[${sourceRangesAnnotation}]`
  return [
    ...(type === 'LoadBalancer' ? [] : [forbiddenField(field, "may only be used when `type` is 'LoadBalancer'")]),
    ...(ranges.length > 0
      ? validateField(ranges, stored && specOf(stored).loadBalancerSourceRanges, field, names)
      : validateAnnotation(annotation ?? '', stored && annotationOf(stored, names), field, names)),
  ]
}

const annotationOf = ({ metadata }: Service, { sourceRangesAnnotation }: ServiceNames) =>
  metadata?.annotations?.[sourceRangesAnnotation]

function validateField(
  ranges: readonly string[],
  stored: readonly string[] = [],
  field: string,
  { level, strictAddresses = false }: ServiceNames,
): FieldError[] {
  if (!level.has(rangesAreReportedByIndex)) return validateAll(ranges, field, `[${ranges.join(' ')}]`)
  const problemsOf = rangeRule(strictAddresses, stored.map(trimmed))
  return ranges
    .map(trimmed)
    .flatMap((range, i) => problemsOf(range).map(text => invalidValue(`${field}[${i}]`, range, text)))
}

function validateAnnotation(
  annotation: string,
  stored: string | undefined,
  field: string,
  { level, strictAddresses = false }: ServiceNames,
): FieldError[] {
  const ranges = annotation.trim() === '' ? [] : annotation.split(',').map(trimmed)
  if (!level.has(rangesAreReportedByIndex)) return validateAll(ranges, field, annotation)
  if (annotation === stored) return []
  const problemsOf = rangeRule(strictAddresses)
  return ranges.flatMap(range => problemsOf(range).map(text => invalidValue(field, range, text)))
}

const validateAll = (ranges: readonly string[], field: string, shown: string): FieldError[] =>
  ranges.every(range => isValidCidr(range.trim()).length === 0)
    ? []
    : [invalidValue(field, shown, 'must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24 ')]

const trimmed = (text: string) => text.trim()

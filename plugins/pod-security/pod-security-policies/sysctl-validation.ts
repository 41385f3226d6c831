import { type FieldError, forbiddenField, invalidValue } from 'orch/sdk'
import type { PodSecurityPolicySpec } from './schema.js'
import { findOverlaps } from './sysctl-overlaps.js'

const everything = '*'
const sysctlPattern = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?\.)*([a-z0-9][-_a-z0-9]*)?[a-z0-9*]$/
const maxLength = 253

/** The kernel parameters of a policy: names, or prefixes before a star. */
export function validateSysctls({ allowedUnsafeSysctls = [], forbiddenSysctls = [] }: PodSecurityPolicySpec) {
  const allowedAt = 'spec.allowedUnsafeSysctls'
  const forbiddenAt = 'spec.forbiddenSysctls'
  return [
    ...validateList(allowedUnsafeSysctls, allowedAt),
    ...validateList(forbiddenSysctls, forbiddenAt),
    ...findOverlaps(allowedUnsafeSysctls, forbiddenSysctls).map(overlap => {
      const allowed = allowedUnsafeSysctls[overlap.allowed]
      const forbidden = forbiddenSysctls[overlap.forbidden]
      return overlap.isForbiddenWider
        ? invalidValue(`${allowedAt}[${overlap.allowed}]`, allowed, `sysctl overlaps with ${forbidden}`)
        : invalidValue(`${forbiddenAt}[${overlap.forbidden}]`, forbidden, `sysctl overlaps with ${allowed}`)
    }),
  ]
}

function validateList(list: readonly string[], field: string): FieldError[] {
  const isValid = (pattern: string) => pattern.length <= maxLength && sysctlPattern.test(pattern)
  const errors = list.flatMap((pattern, i) => {
    if (pattern === '') return [invalidValue(`${field}[${i}]`, pattern, 'empty sysctl not allowed')]
    const rule = `must have at most ${maxLength} characters and match regex ${sysctlPattern.source}`
    return isValid(pattern) ? [] : [invalidValue(`${field}[${i}]`, pattern, rule)]
  })
  if (list.length > 1 && list.some(pattern => pattern.startsWith(everything) && isValid(pattern)))
    errors.push(forbiddenField(`${field}.items`, "if '*' is present, must not specify other sysctls"))
  return errors
}

import { type FieldError, invalidValue, requiredValue } from 'orch/sdk'
import type { IdRule } from './policy.js'

/** The default id; undefined if none is required. */
export const defaultId = ({ rule, ranges = [] }: IdRule = {}): number | undefined =>
  rule === 'MustRunAs' ? ranges[0]?.min : undefined

/** Groups that are chosen must be in the ranges, and must be chosen if the rule says so. No rule allows any. */
export function checkGroups(groups: readonly number[], rule: IdRule = {}, field: string): FieldError[] {
  if (rule.rule !== 'MustRunAs' && rule.rule !== 'MayRunAs') return []
  if (groups.length === 0 && rule.rule === 'MustRunAs')
    return [invalidValue(field, [], 'unable to validate empty groups against required ranges')]
  return groups.flatMap(group => checkRange(group, rule, field, `group ${group} `))
}

/** Checks the user of a container and `runAsNonRoot`. `field` is its security context. */
export function checkUser(
  user: number | undefined,
  isNonRoot: boolean | undefined,
  rule: IdRule = {},
  field: string,
): FieldError[] {
  if (rule.rule === 'MustRunAs')
    return user === undefined ? [requiredValue(`${field}.runAsUser`)] : checkRange(user, rule, `${field}.runAsUser`, '')
  if (rule.rule !== 'MustRunAsNonRoot') return []
  if (user === undefined && isNonRoot === undefined) return [requiredValue(`${field}.runAsNonRoot`, 'must be true')]
  if (isNonRoot === false) return [invalidValue(`${field}.runAsNonRoot`, false, 'must be true')]
  return user === 0 ? [invalidValue(`${field}.runAsUser`, 0, 'running with the root UID is forbidden')] : []
}

function checkRange(id: number, { ranges = [] }: IdRule, field: string, subject: string): FieldError[] {
  if (ranges.some(({ min, max }) => id >= min && id <= max)) return []
  const allowed = ranges.map(({ min, max }) => `{${min} ${max}}`).join(' ')
  return [invalidValue(field, id, `${subject}must be in the ranges: [${allowed}]`)]
}

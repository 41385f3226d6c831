import { type FieldError, invalidValue, requiredValue } from 'orch/sdk'
import type { SELinuxOptions } from 'orch/sdk/core'
import type { PolicySpec } from './policy.js'

type Rule = PolicySpec['seLinux']

/** The default label. */
export const defaultLabel = (rule: Rule): SELinuxOptions | undefined =>
  rule?.rule === 'MustRunAs' && rule.seLinuxOptions ? { ...rule.seLinuxOptions } : undefined

export function checkLabel(options: SELinuxOptions | undefined, rule: Rule, field: string): FieldError[] {
  const wanted = defaultLabel(rule)
  if (!wanted) return []
  if (!options) return [requiredValue(field)]
  return (['level', 'role', 'type', 'user'] as const).flatMap(part => {
    const actual = options[part] ?? ''
    const expected = wanted[part] ?? ''
    const isSame = part === 'level' ? sortedLevel(actual) === sortedLevel(expected) : actual === expected
    return isSame ? [] : [invalidValue(`${field}.${part}`, actual, `must be ${expected}`)]
  })
}

/** `s0:c1,c0` and `s0:c0,c1` are the same. */
function sortedLevel(level: string): string {
  const [sensitivity = '', categories = ''] = level.split(':')
  return `${sensitivity}:${categories.split(',').sort().join(',')}`
}

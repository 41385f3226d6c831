import type { PolicyRule } from './schema.js'

/** Matches everything, wherever a rule lists values. */
export const everything = '*'

const parts = [
  ['APIGroups', 'apiGroups'],
  ['Resources', 'resources'],
  ['NonResourceURLs', 'nonResourceURLs'],
  ['ResourceNames', 'resourceNames'],
  ['Verbs', 'verbs'],
] as const

/** A rule on one line, as it appears in messages: `{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}`. */
export function describeRule(rule: PolicyRule): string {
  const shown = parts.flatMap(([label, key]) => {
    const values = rule[key] ?? []
    return values.length === 0 ? [] : [`${label}:${quotedList(values)}`]
  })
  return `{${shown.join(', ')}}`
}

/** Limits of a message about one rule. */
const maxValues = 100
const maxValueLength = 256

/** Texts in quotes between brackets, separated by blanks; very long ones and very many are cut short. */
export function quotedList(values: readonly string[]): string {
  const shown = values.slice(0, maxValues).map(value => {
    const isLong = value.length > maxValueLength
    return isLong ? `${JSON.stringify(value.slice(0, maxValueLength))}...` : JSON.stringify(value)
  })
  return `[${shown.join(' ')}${values.length > maxValues ? ' ...' : ''}]`
}

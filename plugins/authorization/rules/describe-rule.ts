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

/** Texts in quotes between brackets, separated by blanks. */
export const quotedList = (values: readonly string[]): string => `[${values.map(v => JSON.stringify(v)).join(' ')}]`

import { addAll, duplicate, type FieldError, invalidValue, requiredValue } from 'orch/sdk'
import type { TopologySelectorLabelRequirement, TopologySelectorTerm } from 'orch/sdk/core'
import { isQualifiedName } from 'orch/sdk/validation'

/** The required values of a term by key; terms are equal when these are. */
type RequiredValues = Map<string, Set<string>>

/** Limits the errors about one term: thousands of equal terms would cause millions. */
const maxRepeats = 16

/** Terms of which one must match; duplicates and empty terms are errors. */
export function validateAllowedTopologies(terms: readonly TopologySelectorTerm[], field: string): FieldError[] {
  // The reference compares with one empty term per given term, and reports as many errors.
  const seen = new Map([[textOf(new Map()), terms.length]])
  return terms.flatMap((term, i) => {
    const at = `${field}[${i}].matchLabelExpressions`
    const wanted: RequiredValues = new Map()
    const errors = (term.matchLabelExpressions ?? []).flatMap((requirement, j) =>
      validateRequirement(requirement, wanted, `${at}[${j}]`),
    )
    const text = textOf(wanted)
    const count = seen.get(text) ?? 0
    seen.set(text, count + 1)
    const repeated = Array.from({ length: Math.min(count, maxRepeats) }, () => duplicate(at, ''))
    return [...errors, ...repeated]
  })
}

/** Equal terms have the same text, in whatever order they list keys and values. */
const textOf = (wanted: RequiredValues): string =>
  JSON.stringify([...wanted.keys()].sort().map(key => [key, [...(wanted.get(key) ?? [])].sort()]))

function validateRequirement(
  { key, values }: TopologySelectorLabelRequirement,
  wanted: RequiredValues,
  field: string,
): FieldError[] {
  const list = values ?? []
  const errors: FieldError[] = list.length === 0 ? [requiredValue(`${field}.values`)] : []
  const known = new Set<string>()
  for (const [i, value] of list.entries()) {
    if (known.has(value)) errors.push(duplicate(`${field}.values[${i}]`, value))
    known.add(value)
  }
  addAll(
    errors,
    isQualifiedName(key).map(text => invalidValue(`${field}.key`, key, text)),
  )
  if (wanted.has(key)) errors.push(duplicate(`${field}.key`, key))
  wanted.set(key, known)
  return errors
}

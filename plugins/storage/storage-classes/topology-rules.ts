import { isDeepStrictEqual } from 'node:util'
import {
  duplicate,
  type FieldError,
  invalidValue,
  isQualifiedName,
  required,
  type TopologySelectorLabelRequirement,
  type TopologySelectorTerm,
} from 'orch/sdk'

/** What a term asks for, by key; terms are equal when these are. */
type Wanted = Map<string, Set<string>>

/** Terms of which one must match; each differs from the others and from the empty one. */
export function validateAllowedTopologies(terms: readonly TopologySelectorTerm[], field: string): FieldError[] {
  // The reference compares with one empty term per given term, and clients see as many errors.
  const seen: Wanted[] = terms.map(() => new Map())
  return terms.flatMap((term, i) => {
    const at = `${field}[${i}].matchLabelExpressions`
    const wanted: Wanted = new Map()
    const errors = (term.matchLabelExpressions ?? []).flatMap((requirement, j) =>
      validateRequirement(requirement, wanted, `${at}[${j}]`),
    )
    const repeated = seen.filter(other => isDeepStrictEqual(other, wanted)).map(() => duplicate(at, ''))
    seen.push(wanted)
    return [...errors, ...repeated]
  })
}

function validateRequirement(
  { key, values }: TopologySelectorLabelRequirement,
  wanted: Wanted,
  field: string,
): FieldError[] {
  const list = values ?? []
  const errors: FieldError[] = list.length === 0 ? [required(`${field}.values`)] : []
  for (const [i, value] of list.entries())
    if (list.indexOf(value) < i) errors.push(duplicate(`${field}.values[${i}]`, value))
  errors.push(...isQualifiedName(key).map(text => invalidValue(`${field}.key`, key, text)))
  if (wanted.has(key)) errors.push(duplicate(`${field}.key`, key))
  wanted.set(key, new Set(list))
  return errors
}

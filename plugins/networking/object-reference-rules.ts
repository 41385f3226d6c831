import { type FieldError, invalidValue, requiredValue } from 'orch/sdk'
import { isDns1123Subdomain, isPathSegmentName } from 'orch/sdk/validation'

interface Reference {
  readonly apiGroup?: string | null
  readonly kind: string
  readonly name: string
}

/** A reference to an object of any kind, in a backend or the parameters of a class. */
export function validateReference({ apiGroup, kind, name }: Reference, field: string): FieldError[] {
  const checkSegment = (value: string, part: string): FieldError[] =>
    value === ''
      ? [requiredValue(`${field}.${part}`, `${part} is required`)]
      : isPathSegmentName(value).map(text => invalidValue(`${field}.${part}`, value, text))
  return [
    ...(apiGroup === undefined || apiGroup === null
      ? []
      : isDns1123Subdomain(apiGroup).map(text => invalidValue(`${field}.apiGroup`, apiGroup, text))),
    ...checkSegment(kind, 'kind'),
    ...checkSegment(name, 'name'),
  ]
}

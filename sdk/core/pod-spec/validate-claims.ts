import {
  addAll,
  duplicate,
  type FieldError,
  fieldNotFound,
  forbiddenField,
  invalidValue,
  requiredValue,
} from '../../resource/field-errors.js'
import { isDns1123Label, isDns1123Subdomain } from '../../validation/object-names.js'
import type { PodResourceClaim } from '../pod-claims.js'
import type { ResourceClaim } from '../resource-requirements.js'

/** Device claims. Until 1.30, the name was in a nested source. */
export function validatePodClaims(claims: readonly PodResourceClaim[] = [], field: string): FieldError[] {
  const names = new Set<string>()
  return claims.flatMap((claim, i) => {
    const at = `${field}[${i}]`
    const { name } = claim
    const errors: FieldError[] = []
    if (name === '') errors.push(requiredValue(`${at}.name`))
    else if (names.has(name)) errors.push(duplicate(`${at}.name`, name))
    else
      addAll(
        errors,
        isDns1123Label(name).map(text => invalidValue(`${at}.name`, name, text)),
      )
    names.add(name)
    const isNested = claim.resourceClaimName === undefined && claim.resourceClaimTemplateName === undefined
    const source = isNested && claim.source && Object.keys(claim.source).length > 0 ? claim.source : claim
    const place = source === claim ? at : `${at}.source`
    const given = (['resourceClaimName', 'resourceClaimTemplateName'] as const).filter(key => source[key] !== undefined)
    if (given.length > 1)
      errors.push(
        invalidValue(
          place,
          claim,
          'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified',
        ),
      )
    if (given.length === 0)
      errors.push(invalidValue(place, claim, 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`'))
    for (const key of given)
      addAll(
        errors,
        isDns1123Subdomain(source[key] ?? '').map(text => invalidValue(`${place}.${key}`, source[key], text)),
      )
    return errors
  })
}

/** The claims that a container uses: those of the Pod, each request of them once, or all at once. */
export function validateClaimNames(
  claims: readonly ResourceClaim[] = [],
  known: ReadonlySet<string>,
  field: string,
): FieldError[] {
  const taken = new Set<string>()
  return claims.flatMap(({ name, request = '' }, i) => {
    const at = `${field}[${i}]`
    if (name === '') return [requiredValue(at)]
    const errors: FieldError[] = []
    const key = request === '' ? name : `${name}/${request}`
    if (taken.has(name)) errors.push(duplicate(at, name))
    else {
      if (request !== '')
        addAll(
          errors,
          isDns1123Label(request).map(text => invalidValue(`${at}.request`, request, text)),
        )
      if (taken.has(key)) errors.push(duplicate(at, key))
      else if (request === '')
        for (const other of taken) if (other.startsWith(`${name}/`)) errors.push(duplicate(at, name))
      taken.add(key)
    }
    if (!known.has(name)) errors.push(fieldNotFound(at, name))
    return errors
  })
}

/** A whole Pod has no claims of its own. */
export const checkNoPodLevelClaims = (claims: readonly ResourceClaim[] | undefined, field: string): FieldError[] =>
  claims === undefined ? [] : [forbiddenField(field, 'claims may not be set for Resources at pod-level')]

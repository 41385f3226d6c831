import { type FieldError, invalidValue, isInCidr, isValidCidr, requiredValue } from 'orch/sdk'
import type { IPBlock } from './schema.js'

/** A range of addresses, and ranges strictly inside it that are left out. */
export function validateIpBlock({ cidr, except = [] }: IPBlock, field: string): FieldError[] {
  if (cidr === '') return [requiredValue(`${field}.cidr`)]
  if (isValidCidr(cidr).length > 0) return [invalidValue(`${field}.cidr`, cidr, 'not a valid CIDR')]
  const errors: FieldError[] = []
  for (const [i, part] of except.entries()) {
    const at = `${field}.except[${i}]`
    // The ranges after a malformed one are not looked at.
    if (isValidCidr(part).length > 0) return [...errors, invalidValue(at, part, 'not a valid CIDR')]
    if (!isStrictlyInside(part, cidr)) errors.push(invalidValue(at, part, 'must be a strict subset of `cidr`'))
  }
  return errors
}

function isStrictlyInside(part: string, whole: string): boolean {
  const [address = '', bits] = part.split('/')
  return Number(bits) > Number(whole.split('/')[1]) && isInCidr(address, whole)
}

import { BlockList, isIPv6 } from 'node:net'
import { type FieldError, invalidValue, isValidCidr, requiredValue } from 'orch/sdk'
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

interface Range {
  readonly address: string
  readonly bits: number
  readonly family: 'ipv4' | 'ipv6'
}
function rangeOf(cidr: string): Range {
  const [address = '', bits = ''] = cidr.split('/')
  if (isIPv6(address)) return { address, bits: Number(bits), family: 'ipv6' }
  // Octets with leading zeros are read as decimal, which node refuses to read at all.
  return { address: address.split('.').map(Number).join('.'), bits: Number(bits), family: 'ipv4' }
}

function isStrictlyInside(part: string, whole: string): boolean {
  const inner = rangeOf(part)
  const outer = rangeOf(whole)
  if (inner.family !== outer.family || inner.bits <= outer.bits) return false
  const block = new BlockList()
  block.addSubnet(outer.address, outer.bits, outer.family)
  return block.check(inner.address, inner.family)
}

import { type FieldError, invalidValue, requiredValue } from 'orch/sdk'
import { canonicalIp, isStrictCidr, isValidCidr, isValidIpv4 } from 'orch/sdk/validation'
import type { ServiceCIDR } from './schema.js'

const at = 'spec.cidrs'
export const familyOf = (cidr: string): 'IPv4' | 'IPv6' =>
  isValidIpv4(cidr.split('/')[0] ?? '').length === 0 ? 'IPv4' : 'IPv6'

/** A range in the one canonical form. */
export function checkRange(value: string, field: string): FieldError[] {
  const [broken] = isStrictCidr(value)
  if (broken !== undefined) return [invalidValue(field, value, broken)]
  const [address = '', bits = ''] = value.split('/')
  const canonical = `${canonicalIp(address)}/${bits}`
  return value === canonical
    ? []
    : [invalidValue(field, value, `must be in canonical form (${JSON.stringify(canonical)})`)]
}

export function validateServiceCidr({ spec }: ServiceCIDR): FieldError[] {
  const cidrs = spec?.cidrs ?? []
  if (cidrs.length === 0) return [requiredValue(at, 'at least one CIDR required')]
  if (cidrs.length > 2) return [invalidValue(at, spec, 'may only hold up to 2 values')]
  const [first = '', second = ''] = cidrs
  const areValid = cidrs.every(cidr => isValidCidr(cidr).length === 0)
  return [
    ...cidrs.flatMap((cidr, i) => checkRange(cidr, `${at}[${i}]`)),
    ...(cidrs.length === 2 && areValid && familyOf(first) === familyOf(second)
      ? [invalidValue(at, cidrs, 'may specify no more than one range of each family')]
      : []),
  ]
}

/** Ranges are immutable; with `mayAddFamily` one of the other family can be added. */
export function validateServiceCidrUpdate(
  object: ServiceCIDR,
  stored: ServiceCIDR,
  mayAddFamily: boolean,
): FieldError[] {
  const [sent, before] = [object.spec?.cidrs ?? [], stored.spec?.cidrs ?? []]
  const changed = (indexes: readonly number[]) =>
    indexes.filter(i => sent[i] !== before[i]).map(i => invalidValue(`${at}[${i}]`, sent[i], 'field is immutable'))
  if (!mayAddFamily)
    return sent.length === before.length && changed([...before.keys()]).length === 0
      ? []
      : [invalidValue(at, sent, 'field is immutable')]
  if (sent.length === before.length) return changed([...before.keys()])
  if (before.length === 1 && sent.length === 2) return [...changed([0]), ...validateServiceCidr(object)]
  return [invalidValue(at, sent, 'field is immutable')]
}

import { type FieldError, invalidValue, requiredValue } from 'orch/sdk'
import { bytesOfIp, ipFromBytes, isValidCidr, isValidIpv4 } from 'orch/sdk/validation'
import { networkOf } from '../services/warnings.js'
import type { ServiceCIDR } from './schema.js'

const at = 'spec.cidrs'
export const familyOf = (cidr: string): 'IPv4' | 'IPv6' =>
  isValidIpv4(cidr.split('/')[0] ?? '').length === 0 ? 'IPv4' : 'IPv6'

/** A range in canonical form: without leading zeros, and without bits beyond the prefix. */
export function checkRange(value: string, field: string): FieldError[] {
  const [broken] = isValidCidr(value)
  if (broken !== undefined) return [invalidValue(field, value, broken)]
  const [address = '', bits = ''] = value.split('/')
  if (/^::ffff:/i.test(address)) return [invalidValue(field, value, 'must not have an IPv4-mapped IPv6 address')]
  if ([...address.split('.'), bits].some(part => /^0\d/.test(part)))
    return [invalidValue(field, value, 'must not have leading 0s in IP or prefix length')]
  const bytes = bytesOfIp(address)
  const masked = networkOf(value)
  if (!masked.equals(bytes)) return [invalidValue(field, value, 'must not have bits set beyond the prefix length')]
  const canonical = `${ipFromBytes(masked)}/${Number(bits)}`
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

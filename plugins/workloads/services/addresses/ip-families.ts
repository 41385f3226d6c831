import { type FieldError, invalidValue } from 'orch/sdk'
import type { ServiceSpec } from '../schema.js'
import { isHeadless } from '../service-kinds.js'
import { familyOf } from '../validate-cluster-ips.js'
import type { AddressRange } from './address-range.js'

const otherFamily = (family: string) => (family === 'IPv4' ? 'IPv6' : 'IPv4')

/** Fills the families of a Service from its addresses, its policy and what this server has ranges for. */
export function fillFamilies(spec: ServiceSpec, ranges: readonly AddressRange[]): FieldError[] {
  const preferred = ranges.map(range => range.family)
  const [first = 'IPv4'] = preferred
  const given = (spec.clusterIPs ?? []).filter(ip => ip !== 'None').map(familyOf)
  const families = [...(spec.ipFamilies ?? [])]
  for (const family of given.slice(families.length)) families.push(family)

  if (isHeadless(spec) && Object.keys(spec.selector ?? {}).length === 0) {
    // Nobody selects its endpoints, so they may be of any family, whatever this server has.
    spec.ipFamilyPolicy ??= families.length === 1 ? 'SingleStack' : 'RequireDualStack'
    if (families.length === 0) families.push(first)
    if (spec.ipFamilyPolicy !== 'SingleStack' && families.length === 1) families.push(otherFamily(families[0] ?? ''))
    spec.ipFamilies = families
    return []
  }
  const errors = families.flatMap((family, i) =>
    preferred.some(known => known === family)
      ? []
      : [invalidValue(`spec.ipFamilies[${i}]`, family, 'not configured on this cluster')],
  )
  spec.ipFamilyPolicy ??= families.length > 1 ? 'RequireDualStack' : 'SingleStack'
  if (spec.ipFamilyPolicy === 'RequireDualStack' && ranges.length < 2)
    errors.push(
      invalidValue(
        'spec.ipFamilyPolicy',
        spec.ipFamilyPolicy,
        'this cluster is not configured for dual-stack services',
      ),
    )
  if (families.length === 0) families.push(first)
  if (spec.ipFamilyPolicy !== 'SingleStack') families.push(...preferred.filter(family => !families.includes(family)))
  spec.ipFamilies = families
  return errors
}

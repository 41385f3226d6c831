import { isDeepStrictEqual } from 'node:util'
import { type FieldError, invalidValue } from 'orch/sdk'
import type { ServiceSpec } from 'orch/sdk/core'
import { isHeadless } from '../service-kinds.js'
import { familyOf, validateClusterIps } from '../validate-cluster-ips.js'
import type { AddressPool } from './address-pool.js'

const otherFamily = (family: string) => (family === 'IPv4' ? 'IPv6' : 'IPv4')
const areSameFamilies = (one: readonly string[] = [], other: readonly string[] = []) => isDeepStrictEqual(one, other)
/** Whether the client removed an entry. A missing list does not count. */
const isReduced = (sent: readonly string[] = [], stored: readonly string[] = []) =>
  sent.length > 0 && sent.length < stored.length
const wrongPolicy = ({ ipFamilyPolicy }: ServiceSpec, why: string) =>
  invalidValue('spec.ipFamilyPolicy', ipFamilyPolicy, why)

/** A Service that prefers both families keeps its own, even if the configured families have changed since. */
export const isUnchangedPreference = (spec: ServiceSpec, stored: ServiceSpec | undefined): boolean =>
  stored !== undefined &&
  stored.type === spec.type &&
  spec.ipFamilyPolicy === 'PreferDualStack' &&
  (stored.ipFamilyPolicy ?? 'PreferDualStack') === 'PreferDualStack' &&
  areSameFamilies(spec.clusterIPs, stored.clusterIPs) &&
  areSameFamilies(spec.ipFamilies, stored.ipFamilies)

/** Fills the families of a Service from its addresses, its policy and the configured families. */
export function fillFamilies(
  spec: ServiceSpec,
  stored: ServiceSpec | undefined,
  { families: configured, rules }: Pick<AddressPool, 'families' | 'rules'>,
): FieldError[] {
  if (isUnchangedPreference(spec, stored)) return []
  const isUnselected = isHeadless(spec) && Object.keys(spec.selector ?? {}).length === 0
  spec.ipFamilyPolicy ??= stored?.ipFamilyPolicy ?? (isUnselected ? 'RequireDualStack' : 'SingleStack')
  const malformed = validateClusterIps(spec, stored, rules)
  if (malformed.length > 0) return malformed
  const contradictions = [
    ...(stored ? applyReduction(spec, stored) : []),
    ...checkSingle(spec),
    ...inferFamilies(spec, configured),
  ]
  if (contradictions.length > 0) return contradictions

  const [first = 'IPv4'] = configured
  const families = spec.ipFamilies ?? []
  const isSingle = spec.ipFamilyPolicy === 'SingleStack'
  // Without a selector, users write the endpoints, which may be of any family.
  if (!isUnselected) {
    const errors = checkConfigured(spec, configured)
    if (errors.length > 0) return errors
  }
  if (families.length === 0) families.push(first)
  if (!isSingle && families.length === 1 && (isUnselected || configured.length > 1))
    families.push(otherFamily(families[0] ?? first))
  spec.ipFamilies = families
  return []
}

/** Changing to SingleStack releases the second family; other policies release nothing. */
function applyReduction(spec: ServiceSpec, stored: ServiceSpec): FieldError[] {
  const errors: FieldError[] = []
  if (spec.ipFamilyPolicy === 'SingleStack') {
    if (areSameFamilies(spec.clusterIPs, stored.clusterIPs)) spec.clusterIPs = spec.clusterIPs?.slice(0, 1)
    if (areSameFamilies(spec.ipFamilies, stored.ipFamilies)) spec.ipFamilies = spec.ipFamilies?.slice(0, 1)
    return errors
  }
  if (isReduced(spec.clusterIPs, stored.clusterIPs))
    errors.push(wrongPolicy(spec, "must be 'SingleStack' to release the secondary cluster IP"))
  if (isReduced(spec.ipFamilies, stored.ipFamilies))
    errors.push(wrongPolicy(spec, "must be 'SingleStack' to release the secondary IP family"))
  return errors
}

function checkSingle(spec: ServiceSpec): FieldError[] {
  if (spec.ipFamilyPolicy !== 'SingleStack') return []
  const lists = [
    ['cluster IPs', spec.clusterIPs],
    ['IP families', spec.ipFamilies],
  ] as const
  return lists
    .filter(([, list = []]) => list.length === 2)
    .map(([what]) =>
      wrongPolicy(spec, `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`),
    )
}

/** Derives the families from the requested addresses. */
function inferFamilies(spec: ServiceSpec, configured: readonly string[]): FieldError[] {
  if (isHeadless(spec)) return []
  const families = [...(spec.ipFamilies ?? [])]
  const errors: FieldError[] = []
  for (const [i, address] of (spec.clusterIPs ?? []).entries()) {
    if (i < families.length) continue
    const family = familyOf(address)
    if (configured.includes(family)) families.push(family)
    else
      errors.push(invalidValue(`spec.clusterIPs[${i}]`, spec.clusterIPs, `${family} is not configured on this cluster`))
  }
  spec.ipFamilies = families
  return errors
}

function checkConfigured(spec: ServiceSpec, configured: readonly string[]): FieldError[] {
  const errors = (spec.ipFamilies ?? []).flatMap((family, i) =>
    configured.includes(family)
      ? []
      : [invalidValue(`spec.ipFamilies[${i}]`, family, 'not configured on this cluster')],
  )
  return spec.ipFamilyPolicy === 'RequireDualStack' && configured.length < 2
    ? [wrongPolicy(spec, 'this cluster is not configured for dual-stack services'), ...errors]
    : errors
}

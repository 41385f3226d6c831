import { addAll, duplicate, type FieldError, invalidValue, requiredValue } from 'orch/sdk'
import { oneOf, type ServiceSpec } from 'orch/sdk/core'
import { canonicalIp, isValidIpv4, repeats } from 'orch/sdk/validation'
import { addressRule } from '../address-rules.js'
import type { ServiceNames } from './names.js'
import { isHeadless, noAddress } from './service-kinds.js'

const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack'] as const
const families = ['IPv4', 'IPv6'] as const
const maxAddresses = 2

export const familyOf = (ip: string): (typeof families)[number] =>
  isValidIpv4(canonicalIp(ip)).length === 0 ? 'IPv4' : 'IPv6'

/** The cluster addresses of a Service, and their families. */
export function validateClusterIps(
  spec: ServiceSpec,
  stored: ServiceSpec | undefined,
  { strictAddresses = false }: Pick<ServiceNames, 'strictAddresses'>,
): FieldError[] {
  const { clusterIP = '', clusterIPs = [], ipFamilies = [], ipFamilyPolicy } = spec
  const errors: FieldError[] = []
  if (clusterIP === '' && clusterIPs.length > 0)
    errors.push(invalidValue('spec.clusterIPs', clusterIPs, 'must be empty when `clusterIP` is not specified'))
  if (clusterIP !== '' && clusterIPs.length === 0) errors.push(requiredValue('spec.clusterIPs'))
  if (clusterIP !== '' && clusterIPs.length > 0 && clusterIPs[0] !== clusterIP)
    errors.push(invalidValue('spec.clusterIPs', clusterIPs, 'first value must match `clusterIP`'))
  addAll(errors, validateFamilies(ipFamilies))
  if (ipFamilyPolicy !== undefined) addAll(errors, oneOf(ipFamilyPolicy, 'spec.ipFamilyPolicy', policies))
  const broken = validateEach(clusterIPs, addressRule(strictAddresses, stored?.clusterIPs))
  addAll(errors, broken)
  if (clusterIPs.length > maxAddresses)
    errors.push(invalidValue('spec.clusterIPs', clusterIPs, `may only hold up to ${maxAddresses} values`))
  if (broken.length > 0 || isHeadless(spec)) return errors
  if (clusterIPs.length > 1 && new Set(clusterIPs.map(familyOf)).size < maxAddresses)
    errors.push(invalidValue('spec.clusterIPs', clusterIPs, 'may specify no more than one IP for each IP family'))
  for (const [i, ip] of clusterIPs.entries())
    if (families.some(known => known === ipFamilies[i]) && familyOf(ip) !== ipFamilies[i])
      errors.push(
        invalidValue(
          `spec.clusterIPs[${i}]`,
          ip,
          `expected an ${ipFamilies[i]} value as indicated by \`ipFamilies[${i}]\``,
        ),
      )
  return errors
}

function validateFamilies(ipFamilies: readonly string[]): FieldError[] {
  const isRepeat = repeats(ipFamilies)
  return ipFamilies.flatMap((family, i) => {
    const at = `spec.ipFamilies[${i}]`
    const errors = oneOf(family, at, families)
    return isRepeat[i] ? [...errors, duplicate(at, family)] : errors
  })
}

function validateEach(clusterIPs: readonly string[], problemsOf: (ip: string) => string[]): FieldError[] {
  return clusterIPs.flatMap((ip, i) => {
    if (i > 0 || ip !== noAddress) return problemsOf(ip).map(text => invalidValue(`spec.clusterIPs[${i}]`, ip, text))
    return clusterIPs.length > 1
      ? [invalidValue('spec.clusterIPs', clusterIPs, "'None' must be the first and only value")]
      : []
  })
}

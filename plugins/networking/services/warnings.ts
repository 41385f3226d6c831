import type { ServedLevel } from 'orch/sdk'
import type { Service } from 'orch/sdk/core'
import { canonicalIp, isValidCidr, warningsAboutCidr } from 'orch/sdk/validation'
import {
  addressesAreStrict,
  deprecatesExternalIps,
  deprecatesPreferClose,
  warnsAboutAddresses,
  warnsAboutHeadless,
  warnsAboutIgnoredFields,
} from '../differences.js'
import { addressWarnings } from './address-warnings.js'
import type { ServiceNames } from './names.js'
import { isExternalName, isHeadless, specOf } from './service-kinds.js'

/** Warnings about a valid Service. */
export function serviceWarnings(service: Service, names: ServiceNames): string[] {
  const { level } = names
  if (!level.has(warnsAboutAddresses)) return []
  const spec = specOf(service)
  const { externalIPs = [], loadBalancerIP = '', loadBalancerSourceRanges = [], clusterIPs = [] } = spec
  const isAlone = spec.type === 'ClusterIP' && isHeadless(spec)
  const warnings: string[] = []
  if (service.metadata?.annotations?.[names.formerHintsAnnotation] !== undefined)
    warnings.push(
      `annotation ${names.formerHintsAnnotation} is deprecated, please use ${names.topologyModeAnnotation} instead`,
    )
  if (!isHeadless(spec)) for (const [i, ip] of clusterIPs.entries()) add(ip, `spec.clusterIPs[${i}]`)
  if (isAlone && level.has(warnsAboutHeadless)) {
    if (loadBalancerIP !== '') warnings.push('spec.loadBalancerIP is ignored for headless services')
    if (externalIPs.length > 0) warnings.push('spec.externalIPs is ignored for headless services')
    if (spec.sessionAffinity !== 'None') warnings.push('spec.SessionAffinity is ignored for headless services')
  }
  for (const [i, ip] of externalIPs.entries()) add(ip, `spec.externalIPs[${i}]`)
  if (externalIPs.length > 0 && !isAlone && !isExternalName(spec) && level.has(deprecatesExternalIps))
    warnings.push('spec.externalIPs is deprecated and may no longer be implemented in some clusters')
  if (loadBalancerIP !== '') add(loadBalancerIP, 'spec.loadBalancerIP')
  for (const [i, range] of loadBalancerSourceRanges.entries())
    for (const text of rangeWarnings(range, `spec.loadBalancerSourceRanges[${i}]`, level)) warnings.push(text)
  if (level.has(warnsAboutIgnoredFields)) {
    if (isExternalName(spec) && externalIPs.length > 0)
      warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"')
    if (!isExternalName(spec) && spec.externalName)
      warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"')
  }
  if (spec.trafficDistribution === 'PreferClose' && level.has(deprecatesPreferClose))
    warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"')
  return warnings

  function add(ip: string, field: string) {
    for (const text of addressWarnings(ip, field, level)) warnings.push(text)
  }
}

/** In these versions IPv4 addresses that are mapped into IPv6 may stay so. */
function canonicalAddress(address: string): string {
  const plain = canonicalIp(address)
  return address.includes(':') && !plain.includes(':') ? `::ffff:${plain}` : plain
}
const rangeHasLeadingZeros = (range: string) => range.split(/[./]/).some(part => /^0\d/.test(part))

function rangeWarnings(range: string, field: string, level: ServedLevel): string[] {
  if (level.has(addressesAreStrict)) return warningsAboutCidr(field, range)
  // Older versions warn about ranges that others may not read. They do not trim them.
  if (isValidCidr(range).length > 0) return [`${field}: CIDR ${JSON.stringify(range)} is not in canonical form`]
  const [address = '', bits = ''] = range.split('/')
  const canonical = `${canonicalAddress(address)}/${Number(bits)}`
  if (rangeHasLeadingZeros(range))
    return [`${field}: non-standard CIDR value ${JSON.stringify(range)} is invalid: use "${canonical}"`]
  return address.includes(':') && range !== canonical
    ? [`${field}: IPv6 CIDR value ${JSON.stringify(range)} should be in RFC 5952 canonical format ("${canonical}")`]
    : []
}

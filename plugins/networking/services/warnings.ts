import type { ServedLevel } from 'orch/sdk'
import type { Service } from 'orch/sdk/core'
import { bytesOfIp, ipFromBytes, isValidCidr, isValidIp } from 'orch/sdk/validation'
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

const rangeHasLeadingZeros = (range: string) => range.split(/[./]/).some(part => /^0\d/.test(part))
function rangeWarnings(value: string, field: string, level: ServedLevel): string[] {
  const isNew = level.has(addressesAreStrict)
  const range = isNew ? value.trim() : value
  const [address = '', bits = ''] = range.split('/')
  // Older versions do not trim the range.
  if (isValidCidr(range).length > 0 || isValidIp(address).length > 0)
    return isNew ? [] : [`${field}: CIDR ${JSON.stringify(value)} is not in canonical form`]
  const [masked, bytes] = [networkOf(range), bytesOfIp(address)]
  const canonical = `${ipFromBytes(masked)}/${Number(bits)}`
  if (isNew && !masked.equals(bytes))
    return [
      `${field}: CIDR value ${JSON.stringify(value)} is ambiguous in this context (should be "${canonical}" or "${ipFromBytes(bytes)}/${bytes.length * 8}"?)`,
    ]
  if (rangeHasLeadingZeros(range))
    return [`${field}: non-standard CIDR value ${JSON.stringify(value)} is invalid: use "${canonical}"`]
  return address.includes(':') && range !== canonical
    ? [`${field}: IPv6 CIDR value ${JSON.stringify(value)} should be in RFC 5952 canonical format ("${canonical}")`]
    : []
}
/** The first address of a range. */
function networkOf(range: string): Buffer {
  const [address = '', bits = ''] = range.split('/')
  const bytes = bytesOfIp(address)
  return Buffer.from(
    bytes.map((byte, i) => byte & (0xff << (8 - Math.min(8, Math.max(0, Number(bits) - i * 8)))) & 0xff),
  )
}

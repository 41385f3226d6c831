import type { ServedLevel } from 'orch/sdk'
import { bytesOfIp, ipFromBytes, isValidIp } from 'orch/sdk/validation'
import { addressesAreStrict } from '../differences.js'

const hasLeadingZeros = (ip: string): boolean => ip.split('.').some(part => /^0\d/.test(part))
const isMapped = (ip: string): boolean => /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(ip)

/** Warnings about an address that is accepted, but not in canonical form. */
export function addressWarnings(ip: string, field: string, level: ServedLevel): string[] {
  // Since 1.33 a value that is not an address causes no warning.
  if (isValidIp(ip).length > 0)
    return level.has(addressesAreStrict)
      ? []
      : [`${field}: ${JSON.stringify(ip)} was accepted, but is not an IP address`]
  const canonical = ipFromBytes(bytesOfIp(ip))
  const isNonStandard = hasLeadingZeros(ip) || (level.has(addressesAreStrict) && isMapped(ip))
  if (isNonStandard)
    return [
      `${field}: non-standard IP address ${JSON.stringify(ip)} is invalid: use "${canonical.replace(/^::ffff:/i, '')}"`,
    ]
  return ip.includes(':') && !isMapped(ip) && ip !== canonical
    ? [`${field}: IPv6 address ${JSON.stringify(ip)} should be in RFC 5952 canonical format ("${canonical}")`]
    : []
}

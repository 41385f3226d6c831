import type { ServedLevel } from 'orch/sdk'
import { warningsAboutIp } from 'orch/sdk/core'
import { bytesOfIp, ipFromBytes, isValidIp } from 'orch/sdk/validation'
import { addressesAreStrict } from '../differences.js'

const hasLeadingZeros = (ip: string): boolean => ip.split('.').some(part => /^0\d/.test(part))
const isMapped = (ip: string): boolean => /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(ip)

/** Warnings about an address that is accepted, but not in canonical form. */
export function addressWarnings(ip: string, field: string, level: ServedLevel): string[] {
  if (level.has(addressesAreStrict)) return warningsAboutIp(field, ip)
  if (isValidIp(ip).length > 0) return [`${field}: ${JSON.stringify(ip)} was accepted, but is not an IP address`]
  const canonical = ipFromBytes(bytesOfIp(ip))
  if (hasLeadingZeros(ip))
    return [
      `${field}: non-standard IP address ${JSON.stringify(ip)} is invalid: use "${canonical.replace(/^::ffff:/i, '')}"`,
    ]
  return ip.includes(':') && !isMapped(ip) && ip !== canonical
    ? [`${field}: IPv6 address ${JSON.stringify(ip)} should be in RFC 5952 canonical format ("${canonical}")`]
    : []
}

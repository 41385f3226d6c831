import type ipaddr from 'ipaddr.js'
import type { FeatureGate } from '../plugin/gates.js'
import { ipFromBytes, isValidCidr, isValidIp, isValidIpv4, parseIp } from './ip-addresses.js'

/** For plugins whose types have addresses: with it, addresses that break the rules of `isStrictIp` and `isStrictCidr` are refused. */
export const addressGates = {
  StrictIPCIDRValidation: {
    stage: 'alpha',
    description: 'Addresses and ranges with leading zeros, of two families, or with bits behind the range are refused.',
  },
} as const satisfies Readonly<Record<string, FeatureGate>>

/** The rules for addresses that are stricter than those of stored objects. A text for every broken one. */
export function isStrictIp(value: string): string[] {
  const broken = isValidIp(value)
  if (broken.length > 0) return broken
  return [
    ...(hasLeadingZeros(value) ? ['must not have leading 0s'] : []),
    ...(isMapped(value) ? ['must not be an IPv4-mapped IPv6 address'] : []),
  ]
}

/** The same for ranges. */
export function isStrictCidr(value: string): string[] {
  const broken = isValidCidr(value)
  if (broken.length > 0) return broken
  const [address = '', bits = ''] = value.split('/')
  if (hasLeadingZeros(address) || /^0\d/.test(bits)) return ['must not have leading 0s in IP or prefix length']
  if (isMapped(address)) return ['must not have an IPv4-mapped IPv6 address']
  return startOf(address, Number(bits)) === textOf(address) ? [] : ['must not have bits set beyond the prefix length']
}

/** An address in the one form in which it can be compared: no leading zeros, IPv4-mapped ones as IPv4. A text that is no address stays. */
export const canonicalIp = (value: string): string =>
  plainQuads.test(value) || isValidIp(value).length > 0 ? value : textOf(value)

/** Warnings about an address that is valid and should be written another way. */
export function warningsAboutIp(path: string, value: string): string[] {
  // Nearly every address is one of these, and loops write slices with hundreds of them.
  if (plainQuads.test(value)) return []
  if (isValidIp(value).length > 0) return []
  const plain = textOf(value)
  if (hasLeadingZeros(value) || isMapped(value))
    return [`${path}: non-standard IP address ${quoted(value)} is invalid: use ${quoted(plain)}`]
  return isV4(value) || plain === value
    ? []
    : [`${path}: IPv6 address ${quoted(value)} should be in RFC 5952 canonical format (${quoted(plain)})`]
}

/** Warnings about a range that is valid and should be written another way. */
export function warningsAboutCidr(path: string, value: string): string[] {
  if (isValidCidr(value).length > 0) return []
  const [address = '', bits = ''] = value.split('/')
  const [plain, start] = [textOf(address), startOf(address, Number(bits))]
  // A range that is mapped into IPv6 can be so large that it is none of IPv4.
  const length = isMapped(address) && isV4(start) ? Number(bits) - mappedBits : Number(bits)
  const range = `${start}/${length}`
  const warnings =
    plain === start
      ? []
      : [
          `${path}: CIDR value ${quoted(value)} is ambiguous in this context (should be ${quoted(range)} or ${quoted(`${plain}/${isV4(plain) ? 32 : 128}`)}?)`,
        ]
  if (hasLeadingZeros(address) || /^0\d/.test(bits) || isMapped(address))
    warnings.push(`${path}: non-standard CIDR value ${quoted(value)} is invalid: use ${quoted(range)}`)
  if (warnings.length > 0 || isV4(address) || `${plain}/${bits}` === value) return warnings
  return [
    `${path}: IPv6 CIDR value ${quoted(value)} should be in RFC 5952 canonical format (${quoted(`${plain}/${bits}`)})`,
  ]
}

const mappedBits = 96
/** Four numbers without leading zeros; whether they are small enough for an address does not matter here. */
const plainQuads = /^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}$/
const quoted = (text: string) => JSON.stringify(text)
const isV4 = (value: string) => isValidIpv4(value).length === 0
const hasLeadingZeros = (value: string) => isV4(value) && value.split('.').some(octet => /^0\d/.test(octet))
const isMapped = (value: string) => {
  const address = parseIp(value)
  return address.kind() === 'ipv6' && (address as ipaddr.IPv6).isIPv4MappedAddress()
}
/** The address as it should be written: IPv4-mapped ones as IPv4. */
const textOf = (value: string) => {
  const address = parseIp(value)
  return isMapped(value) ? (address as ipaddr.IPv6).toIPv4Address().toString() : rfc5952(address)
}
const rfc5952 = (address: ipaddr.IPv4 | ipaddr.IPv6) =>
  address.kind() === 'ipv4' ? address.toString() : (address as ipaddr.IPv6).toRFC5952String()

/** The first address of the range. */
function startOf(value: string, bits: number): string {
  const bytes = parseIp(value).toByteArray()
  const masked = bytes.map((byte, i) => byte & (0xff00 >> Math.min(Math.max(bits - i * 8, 0), 8)) & 0xff)
  return textOf(ipFromBytes(Uint8Array.from(masked)))
}

import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

const isV4 = (value: string) => {
  const octets = value.split('.')
  // Leading zeros are accepted and read as decimal, as stored objects may have them; ipaddr.js takes them for octal.
  return octets.length === 4 && octets.every(octet => /^\d+$/.test(octet) && Number(octet) <= 255)
}
/** Zones (`fe80::1%eth0`) name an interface of one machine, so they are no address here. */
const isV6 = (value: string) => value.includes(':') && !value.includes('%') && isIPv6(value)

/** An IPv4 or IPv6 address; a text for every broken rule. */
export const isValidIp = (value: string): string[] =>
  isV4(value) || isV6(value) ? [] : ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)']
/** An IPv4 address. */
export const isValidIpv4 = (value: string): string[] => (isV4(value) ? [] : ['must be a valid IPv4 address'])
/** An IPv6 address. */
export const isValidIpv6 = (value: string): string[] => (isV6(value) ? [] : ['must be a valid IPv6 address'])

/** An address range such as `10.9.8.0/24`. */
export function isValidCidr(value: string): string[] {
  const broken = ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)']
  const slash = value.indexOf('/')
  if (slash < 0) return broken
  const address = value.slice(0, slash)
  const bits = value.slice(slash + 1)
  if (!/^\d{1,3}$/.test(bits)) return broken
  if (isV4(address)) return Number(bits) <= 32 ? [] : broken
  return isV6(address) && Number(bits) <= 128 ? [] : broken
}

/** Reads a valid address. */
export const parseIp = (value: string): ipaddr.IPv4 | ipaddr.IPv6 =>
  isV4(value) ? new ipaddr.IPv4(value.split('.').map(Number)) : ipaddr.IPv6.parse(value)

/** The bytes of a valid address, the highest first: 4 of IPv4, 16 of IPv6. */
export const bytesOfIp = (value: string): Buffer => Buffer.from(parseIp(value).toByteArray())

/** The address of these bytes, written the short way. */
export const ipFromBytes = (bytes: Uint8Array): string => ipaddr.fromByteArray([...bytes]).toString()

/** Is this address in that range? Both must be valid. */
export function isInCidr(address: string, cidr: string): boolean {
  const one = parseIp(address)
  const [start = '', bits] = cidr.split('/')
  const range = parseIp(start)
  return one.kind() === range.kind() && one.match(range, Number(bits))
}

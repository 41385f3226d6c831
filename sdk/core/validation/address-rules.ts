import ipaddr from 'ipaddr.js'
import { type FieldError, invalidValue } from '../../resource/field-errors.js'
import { parseIp } from '../../validation/ip-addresses.js'

/** Loopback and link-local addresses. `ip` must be valid; an IPv4 address written as IPv6 is one of IPv4. */
export function checkNotSpecialIp(ip: string, field: string): FieldError[] {
  const parsed = parseIp(ip)
  const address = parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() ? parsed.toIPv4Address() : parsed
  const broken = (detail: string) => [invalidValue(field, ip, detail)]
  const range = address.range()
  if (range === 'unspecified' && address.toByteArray().every(byte => byte === 0))
    return broken('may not be unspecified (0.0.0.0 or ::)')
  if (range === 'loopback') return broken('may not be in the loopback range (127.0.0.0/8, ::1/128)')
  if (range === 'linkLocal') return broken('may not be in the link-local range (169.254.0.0/16, fe80::/10)')
  if (range === 'multicast' && isLinkLocalMulticast(address.toByteArray()))
    return broken('may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)')
  return []
}
const isLinkLocalMulticast = ([first = 0, second = 0, third = 0]: number[]) =>
  first === 0xff ? (second & 0x0f) === 2 : first === 224 && second === 0 && third === 0

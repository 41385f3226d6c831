import { type CelFunc, CelScalar, celFunc, celMethod, mapType } from '@bufbuild/cel'
import { bytesOfIp, ipFromBytes, isInCidr, isValidCidr, isValidIp, isValidIpv4 } from 'orch/sdk'
import { contentOf, opaque } from './open-values.js'

const { STRING, BOOL, DYN, INT } = CelScalar
const Map_ = mapType(DYN, DYN)

/** An IP address, or a CIDR range if it has a slash. */
class Address {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
const make = (text: string) => opaque(new Address(text), new Map([['text', text]])) as never

function textOf(value: unknown, name: string): string {
  const address = contentOf(value, Address)
  if (!address) throw new Error(`no such overload: ${name}`)
  return address.text
}
/** Stricter than fields of objects: no leading zeros and no IPv4-mapped IPv6 addresses. */
const isStrict = (address: string) => !/(^|\.)0\d/.test(address) && !isMapped(address)
const isMapped = (address: string) => address.includes(':') && bytesOfIp(address).subarray(0, 12).equals(mappedStart)
const mappedStart = Buffer.from('00000000000000000000ffff', 'hex')
const isIp = (text: string) => isValidIp(text).length === 0 && isStrict(text)
const isCidr = (text: string) => isValidCidr(text).length === 0 && isStrict(startOf(text)) && !/\/0\d/.test(text)
const startOf = (cidr: string) => cidr.split('/', 1)[0]!
const bitsOf = (cidr: string) => Number(cidr.split('/', 2)[1])

function read(text: string, isValid: (text: string) => boolean, what: string): string {
  if (!isValid(text)) throw new Error(`${what} ${JSON.stringify(text)} parse error during conversion from string`)
  return text
}
/** Arguments may be addresses or strings. */
const textOfArgument = (value: unknown, name: string): string =>
  typeof value === 'string' ? value : textOf(value, name)

/** The range with all bits after the prefix set to zero. */
function masked(cidr: string): string {
  const bytes = bytesOfIp(startOf(cidr))
  const bits = bitsOf(cidr)
  const network = bytes.map((byte, i) => byte & (0xff << Math.max(0, 8 - Math.max(0, bits - i * 8))))
  return `${ipFromBytes(network)}/${bits}`
}
const isWithin = (name: string, holds: (cidr: string, other: string) => boolean, isValid: (text: string) => boolean) =>
  celMethod(name, Map_, [DYN], BOOL, function (this: unknown, other: unknown) {
    return holds(textOf(this, name), read(textOfArgument(other, name), isValid, name))
  })
const predicate = (name: string, test: (bytes: Buffer) => boolean) =>
  celMethod(name, Map_, [], BOOL, function (this: unknown) {
    return test(bytesOfIp(startOf(textOf(this, name))))
  })
const isLinkLocal = (bytes: Buffer, second: number, third: number) =>
  bytes.length === 4
    ? second === 224
      ? bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0
      : bytes[0] === 169 && bytes[1] === 254
    : second === 224
      ? bytes[0] === 0xff && (bytes[1]! & 0x0f) === 2
      : bytes[0] === 0xfe && (bytes[1]! & third) === 0x80
const isMulticast = (bytes: Buffer) => (bytes.length === 4 ? (bytes[0]! & 0xf0) === 0xe0 : bytes[0] === 0xff)
const isUnspecified = (bytes: Buffer) => bytes.every(byte => byte === 0)
const isLoopback = (bytes: Buffer) =>
  bytes.length === 4 ? bytes[0] === 127 : bytes.every((byte, i) => byte === (i === 15 ? 1 : 0))
const isBroadcast = (bytes: Buffer) => bytes.length === 4 && bytes.every(byte => byte === 255)

/** Functions of IP addresses and ranges: `cidr('10.0.0.0/8').containsIP(object.spec.clusterIP)`. */
export const addressFunctions: CelFunc[] = [
  celFunc('isIP', [STRING], BOOL, isIp),
  celFunc('ip', [STRING], DYN, text => make(read(text, isIp, 'IP Address'))),
  celFunc('ip.isCanonical', [STRING], BOOL, text => ipFromBytes(bytesOfIp(read(text, isIp, 'IP Address'))) === text),
  celFunc('string', [Map_], STRING, address => textOf(address, 'string')),
  celFunc('isCIDR', [STRING], BOOL, isCidr),
  celFunc('cidr', [STRING], DYN, text => make(read(text, isCidr, 'network address'))),
  celMethod('family', Map_, [], INT, function (this: unknown) {
    return isValidIpv4(textOf(this, 'family')).length === 0 ? 4n : 6n
  }),
  predicate('isUnspecified', isUnspecified),
  predicate('isLoopback', isLoopback),
  predicate('isLinkLocalMulticast', bytes => isLinkLocal(bytes, 224, 0)),
  predicate('isLinkLocalUnicast', bytes => isLinkLocal(bytes, 169, 0xc0)),
  predicate(
    'isGlobalUnicast',
    bytes =>
      !(isUnspecified(bytes) || isLoopback(bytes) || isMulticast(bytes) || isBroadcast(bytes)) &&
      !isLinkLocal(bytes, 169, 0xc0),
  ),
  isWithin('containsIP', (cidr, other) => isInCidr(other, cidr), isIp),
  isWithin('containsCIDR', (cidr, other) => isInCidr(startOf(other), cidr) && bitsOf(other) >= bitsOf(cidr), isCidr),
  celMethod('ip', Map_, [], DYN, function (this: unknown) {
    return make(startOf(textOf(this, 'ip')))
  }),
  celMethod('masked', Map_, [], DYN, function (this: unknown) {
    return make(masked(textOf(this, 'masked')))
  }),
  celMethod('prefixLength', Map_, [], INT, function (this: unknown) {
    return BigInt(bitsOf(textOf(this, 'prefixLength')))
  }),
]

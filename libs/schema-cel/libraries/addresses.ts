import { bytesOfIp, ipFromBytes, isInCidr, isValidCidr, isValidIp, isValidIpv4 } from 'orch/sdk/validation'
import { Failure, func, type Library, method, OpaqueValue, opaqueType, type Work } from '../../cel/index.js'

/** An IP address, or a CIDR range. */
abstract class Address extends OpaqueValue {
  readonly text: string
  constructor(text: string) {
    super()
    this.text = text
  }
}
class IpValue extends Address {
  readonly typeName = 'net.IP'
  equals(other: OpaqueValue): boolean {
    return other instanceof IpValue && bytesOfIp(this.text).equals(bytesOfIp(other.text))
  }
}
class CidrValue extends Address {
  readonly typeName = 'net.CIDR'
  equals(other: OpaqueValue): boolean {
    return (
      other instanceof CidrValue &&
      bitsOf(this.text) === bitsOf(other.text) &&
      bytesOfIp(startOf(this.text)).equals(bytesOfIp(startOf(other.text)))
    )
  }
}

/** Longer texts are not addresses. */
const maxLength = 64
/** Stricter than fields of objects: no leading zeros and no IPv4-mapped IPv6 addresses. */
const isStrict = (address: string) => !/(^|\.)0\d/.test(address) && !isMapped(address)
const isMapped = (address: string) => address.includes(':') && bytesOfIp(address).subarray(0, 12).equals(mappedStart)
const mappedStart = Buffer.from('00000000000000000000ffff', 'hex')
const isIp = (text: string) => text.length <= maxLength && isValidIp(text).length === 0 && isStrict(text)
const isCidr = (text: string) =>
  text.length <= maxLength && isValidCidr(text).length === 0 && isStrict(startOf(text)) && !/\/0\d/.test(text)
const startOf = (cidr: string) => cidr.split('/', 1)[0]!
const bitsOf = (cidr: string) => Number(cidr.split('/', 2)[1])

function read(text: string, isValid: (text: string) => boolean, what: string): string {
  if (!isValid(text))
    throw new Failure(`${what} ${JSON.stringify(text.slice(0, 100))} parse error during conversion from string`)
  return text
}
const ipOf = (text: string) => new IpValue(read(text, isIp, 'IP Address'))
const cidrOf = (text: string) => new CidrValue(read(text, isCidr, 'network address'))

/** The address in its usual form: without leading zeros, in lower case. */
const canonical = (ip: string) => ipFromBytes(bytesOfIp(ip))

/** The range with all bits after the prefix set to zero. */
function masked(cidr: string): string {
  const bytes = bytesOfIp(startOf(cidr))
  const bits = bitsOf(cidr)
  const network = bytes.map((byte, i) => byte & (0xff << Math.max(0, 8 - Math.max(0, bits - i * 8))))
  return `${ipFromBytes(network)}/${bits}`
}
const containsIp = (cidr: CidrValue, ip: IpValue) => isInCidr(ip.text, cidr.text)
const containsCidr = (cidr: CidrValue, other: CidrValue) =>
  isInCidr(startOf(other.text), cidr.text) && bitsOf(other.text) >= bitsOf(cidr.text)

const isLinkLocalMulticast = (bytes: Buffer) =>
  bytes.length === 4
    ? bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0
    : bytes[0] === 0xff && (bytes[1]! & 0x0f) === 2
const isLinkLocalUnicast = (bytes: Buffer) =>
  bytes.length === 4 ? bytes[0] === 169 && bytes[1] === 254 : bytes[0] === 0xfe && (bytes[1]! & 0xc0) === 0x80
const isMulticast = (bytes: Buffer) => (bytes.length === 4 ? (bytes[0]! & 0xf0) === 0xe0 : bytes[0] === 0xff)
const isUnspecified = (bytes: Buffer) => bytes.every(byte => byte === 0)
const isLoopback = (bytes: Buffer) =>
  bytes.length === 4 ? bytes[0] === 127 : bytes.every((byte, i) => byte === (i === 15 ? 1 : 0))
const isBroadcast = (bytes: Buffer) => bytes.length === 4 && bytes.every(byte => byte === 255)
const isGlobalUnicast = (bytes: Buffer) =>
  !(isUnspecified(bytes) || isLoopback(bytes) || isMulticast(bytes) || isBroadcast(bytes) || isLinkLocalUnicast(bytes))

/** Parsing an address takes about as long for all of them. */
const stepsOfAddress = 200
const charged =
  <A extends unknown[], R>(run: (...args: A) => R) =>
  (work: Work, ...args: A): R => {
    work.steps(stepsOfAddress)
    return run(...args)
  }
const predicate = (test: (bytes: Buffer) => boolean) =>
  method(
    'ip:bool',
    charged(({ text }: IpValue) => test(bytesOfIp(text))),
  )

/** IP addresses and ranges: `cidr('10.0.0.0/8').containsIP(object.spec.clusterIP)`. */
export const addresses: Library = {
  name: 'addresses',
  since: 30,
  types: { ip: opaqueType('net.IP'), cidr: opaqueType('net.CIDR') },
  functions: {
    isIP: { is_ip: func('string:bool', charged(isIp)) },
    ip: {
      string_to_ip: func('string:ip', charged(ipOf)),
      cidr_ip: method(
        'cidr:ip',
        charged(({ text }: CidrValue) => new IpValue(startOf(text))),
      ),
    },
    'ip.isCanonical': {
      ip_is_canonical: func(
        'string:bool',
        charged((text: string) => canonical(ipOf(text).text) === text),
      ),
    },
    string: {
      ip_to_string: func(
        'ip:string',
        charged(({ text }: IpValue) => canonical(text)),
      ),
      cidr_to_string: func(
        'cidr:string',
        charged(({ text }: CidrValue) => `${canonical(startOf(text))}/${bitsOf(text)}`),
      ),
    },
    family: {
      ip_family: method(
        'ip:int',
        charged(({ text }: IpValue) => (isValidIpv4(text).length === 0 ? 4n : 6n)),
      ),
    },
    isUnspecified: { ip_is_unspecified: predicate(isUnspecified) },
    isLoopback: { ip_is_loopback: predicate(isLoopback) },
    isLinkLocalMulticast: { ip_is_link_local_multicast: predicate(isLinkLocalMulticast) },
    isLinkLocalUnicast: { ip_is_link_local_unicast: predicate(isLinkLocalUnicast) },
    isGlobalUnicast: { ip_is_global_unicast: predicate(isGlobalUnicast) },
    isCIDR: { is_cidr: func('string:bool', charged(isCidr)) },
    cidr: { string_to_cidr: func('string:cidr', charged(cidrOf)) },
    containsIP: {
      cidr_contains_ip_string: method(
        'cidr,string:bool',
        charged((cidr: CidrValue, text: string) => containsIp(cidr, ipOf(text))),
      ),
      cidr_contains_ip_ip: method('cidr,ip:bool', charged(containsIp)),
    },
    containsCIDR: {
      cidr_contains_cidr_string: method(
        'cidr,string:bool',
        charged((cidr: CidrValue, text: string) => containsCidr(cidr, cidrOf(text))),
      ),
      cidr_contains_cidr: method('cidr,cidr:bool', charged(containsCidr)),
    },
    masked: {
      cidr_masked: method(
        'cidr:cidr',
        charged(({ text }: CidrValue) => new CidrValue(masked(text))),
      ),
    },
    prefixLength: { cidr_prefix_length: method('cidr:int', (_, { text }: CidrValue) => BigInt(bitsOf(text))) },
  },
}

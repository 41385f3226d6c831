import { bytesOfIp, ipFromBytes, isValidCidr, isValidIpv4 } from 'orch/sdk/validation'

/** A range of addresses such as `10.0.0.0/24`. The first and, of IPv4, the last address are never allocated. */
export class AddressRange {
  readonly family: 'IPv4' | 'IPv6'
  readonly #base: bigint
  /** The number of usable addresses. */
  readonly size: bigint

  constructor(cidr: string) {
    if (isValidCidr(cidr).length > 0) throw new RangeError(`${JSON.stringify(cidr)} is not a range of addresses`)
    const [address = '', prefix = ''] = cidr.split('/')
    this.family = isValidIpv4(address).length === 0 ? 'IPv4' : 'IPv6'
    const hostBits = BigInt((this.family === 'IPv4' ? 32 : 128) - Number(prefix))
    this.#base = (toNumber(address) >> hostBits) << hostBits
    const reserved = this.family === 'IPv4' ? 2n : 1n
    this.size = (1n << hostBits) - reserved
    if (this.size < 1n) throw new RangeError(`${cidr} is too small: it has no usable address`)
  }

  /** The address number `index`, counted from 0. */
  at(index: bigint): string {
    return toAddress(this.#base + 1n + index, this.family)
  }

  includes(address: string): boolean {
    const isSameFamily = (isValidIpv4(address).length === 0 ? 'IPv4' : 'IPv6') === this.family
    const offset = isSameFamily ? toNumber(address) - this.#base : 0n
    return offset >= 1n && offset <= this.size
  }
}

const toNumber = (address: string): bigint => BigInt(`0x${bytesOfIp(address).toString('hex')}`)

const toAddress = (value: bigint, family: 'IPv4' | 'IPv6'): string =>
  ipFromBytes(Buffer.from(value.toString(16).padStart(family === 'IPv4' ? 8 : 32, '0'), 'hex'))

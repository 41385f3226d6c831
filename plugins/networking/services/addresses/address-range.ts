import { isValidCidr, isValidIpv4 } from 'orch/sdk'

/** A range of addresses such as `10.0.0.0/24`. The first and, of IPv4, the last address are never given away. */
export class AddressRange {
  readonly family: 'IPv4' | 'IPv6'
  readonly #base: bigint
  /** How many addresses can be given away. */
  readonly size: bigint

  constructor(cidr: string) {
    if (isValidCidr(cidr).length > 0) throw new RangeError(`${JSON.stringify(cidr)} is not a range of addresses`)
    const [address = '', prefix = ''] = cidr.split('/')
    this.family = isValidIpv4(address).length === 0 ? 'IPv4' : 'IPv6'
    const hostBits = BigInt((this.family === 'IPv4' ? 32 : 128) - Number(prefix))
    this.#base = (toNumber(address) >> hostBits) << hostBits
    const reserved = this.family === 'IPv4' ? 2n : 1n
    this.size = (1n << hostBits) - reserved
    if (this.size < 1n) throw new RangeError(`${cidr} is too small: it has no address to give away`)
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

function toNumber(address: string): bigint {
  const groups = address.includes(':') ? expand(address) : address.split('.').map(Number)
  const bits = address.includes(':') ? 16n : 8n
  return groups.reduce((sum, group) => (sum << bits) + BigInt(group), 0n)
}

/** The eight groups of an IPv6 address, with `::` and an IPv4 tail written out. */
function expand(address: string): number[] {
  const hostname = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = '', tail] = hostname.split('::')
  const parse = (part: string) => (part === '' ? [] : part.split(':').map(group => Number.parseInt(group, 16)))
  const [left, right] = [parse(head), parse(tail ?? '')]
  return tail === undefined ? left : [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right]
}

function toAddress(value: bigint, family: 'IPv4' | 'IPv6'): string {
  if (family === 'IPv4') return [24n, 16n, 8n, 0n].map(shift => (value >> shift) & 255n).join('.')
  const groups = Array.from({ length: 8 }, (_, i) => ((value >> BigInt((7 - i) * 16)) & 0xffffn).toString(16))
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)
}

import type { ApiObject } from 'orch/sdk'
import { AddressRange } from '../services/addresses/address-range.js'
import type { ServiceCIDR } from './schema.js'

type StoredCidr = ApiObject & ServiceCIDR
/** Ranges without a condition can be used; those that are being deleted cannot. */
const isReady = ({ metadata, status }: StoredCidr) =>
  !metadata.deletionTimestamp &&
  (status?.conditions ?? []).every(({ type, status }) => type !== 'Ready' || status === 'True')

/** Parsed ranges by their text. */
const ranges = new Map<string, AddressRange | undefined>()
const maxCached = 1000
function rangeOf(cidr: string): AddressRange | undefined {
  if (!ranges.has(cidr)) {
    if (ranges.size >= maxCached) ranges.clear()
    ranges.set(cidr, readRange(cidr))
  }
  return ranges.get(cidr)
}
/** Undefined for a range that is too small to have a usable address. */
function readRange(cidr: string): AddressRange | undefined {
  try {
    return new AddressRange(cidr)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** The ranges from which addresses are allocated, the oldest first. */
export const readyRanges = (cidrs: readonly StoredCidr[]): AddressRange[] =>
  cidrs
    .filter(isReady)
    .sort((one, other) => order(one).localeCompare(order(other)))
    .flatMap(({ spec }) => (spec?.cidrs ?? []).flatMap(cidr => rangeOf(cidr) ?? []))
const order = ({ metadata }: StoredCidr) => `${metadata.creationTimestamp} ${metadata.name}`

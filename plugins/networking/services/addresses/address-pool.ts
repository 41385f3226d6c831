import type { ServiceNames } from '../names.js'
import type { AddressRange } from './address-range.js'

/** What can be allocated, and what is already. */
export interface AddressPool {
  /** The configured families, the primary one first. */
  readonly families: readonly string[]
  /** Ranges of a family, in the order in which they are used. */
  rangesOf(family: string): readonly AddressRange[]
  readonly nodePorts: { readonly first: number; readonly last: number }
  readonly rules: Pick<ServiceNames, 'strictAddresses'>
  /** Nothing is claimed then, and node ports are chosen outside of the range. */
  readonly isDryRun?: boolean
  /** Whether another Service has this address, which is in canonical form. */
  isAddressTaken(address: string): boolean
  /** Whether another Service has this node port, for any protocol: a number belongs to one Service. */
  isNodePortTaken(port: number): boolean
}

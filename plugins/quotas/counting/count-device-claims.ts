import type { ApiObject } from 'orch/sdk'
import { parseQuantity } from 'orch/sdk/validation'
import { type Amounts, maxAmounts, one, sumAmounts } from '../amounts/amounts.js'
import type { QuotaNames } from '../names.js'
import type { Evaluator } from './evaluator.js'

/** The part of a ResourceClaim that is counted. */
interface DeviceClaim {
  readonly spec?: {
    readonly devices?: {
      readonly requests?: readonly { readonly exactly?: Wanted; readonly firstAvailable?: readonly Wanted[] }[]
    }
  }
}
interface Wanted {
  readonly deviceClassName: string
  readonly allocationMode?: string
  readonly count?: number
}

/** The most devices that a claim can get. A claim for all devices counts as so many. */
const maxDevices = 32

const numberOf = ({ allocationMode, count = 0 }: Wanted): number => {
  if (allocationMode === 'ExactCount') return count
  // Modes of newer versions are not counted.
  return allocationMode === 'All' ? maxDevices : 0
}

/** Counts resource claims and the devices they ask for, by device class. */
export function deviceClaimCounter({ deviceGroup, devicesSuffix }: QuotaNames): Evaluator {
  const countName = `count/resourceclaims.${deviceGroup}`
  const devicesOf = (wanted: Wanted): Amounts =>
    new Map([[`${wanted.deviceClassName}${devicesSuffix}`, parseQuantity(numberOf(wanted))]])
  return {
    group: deviceGroup,
    resource: 'resourceclaims',
    isCharged: () => true,
    counts: name => name === countName || name.endsWith(devicesSuffix),
    usageOf(object: ApiObject & DeviceClaim) {
      const requests = object.spec?.devices?.requests ?? []
      return sumAmounts([
        new Map([[countName, one]]),
        ...requests.map(({ exactly, firstAvailable = [] }) => {
          // Only one of the alternatives will be used: of each class, the one with most devices counts.
          if (firstAvailable.length > 0) return maxAmounts(firstAvailable.map(devicesOf))
          return exactly ? devicesOf(exactly) : new Map()
        }),
      ])
    },
  }
}

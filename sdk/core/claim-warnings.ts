import type { PersistentVolumeClaimSpec } from './persistent-volume-claim-spec.js'
import { isWholeAmount } from './validation/resource-quantities.js'

/** Warnings about fractions of a byte in a claim at `field`, from `claimWarnings` on. */
export const claimFractionWarnings = ({ resources }: PersistentVolumeClaimSpec, field: string): string[] =>
  (['requests', 'limits'] as const).flatMap(list => {
    const amount = resources?.[list]?.['storage']
    return amount === undefined || isWholeAmount(amount)
      ? []
      : [
          `${field}.resources.${list}[storage]: fractional byte value ${JSON.stringify(amount)} is invalid, must be an integer`,
        ]
  })

import { parseQuantity, quantityValue } from '../validation/quantity.js'
import type { PersistentVolumeClaimSpec } from './persistent-volume-claim-spec.js'

/** Warnings about fractions of a byte in a claim at `field`, from `claimWarnings` on. */
export const claimFractionWarnings = ({ resources }: PersistentVolumeClaimSpec, field: string): string[] =>
  (['requests', 'limits'] as const).flatMap(list => {
    const amount = resources?.[list]?.['storage']
    return amount === undefined || isWhole(amount)
      ? []
      : [
          `${field}.resources.${list}[storage]: fractional byte value ${JSON.stringify(amount)} is invalid, must be an integer`,
        ]
  })

const maxInt64 = 2n ** 63n - 1n
/**
 * Counted in thousandths of a byte, in 64 bits as by the reference: an amount that overflows counts as whole, and of a
 * number that does not fit at all the lowest 64 bits count.
 */
function isWhole(amount: string): boolean {
  const quantity = parseQuantity(amount)
  const thousandths = quantityValue(quantity, -3)
  if (quantity.unscaled > maxInt64) return BigInt.asIntN(64, thousandths) % 1000n === 0n
  return thousandths > maxInt64 || thousandths % 1000n === 0n
}

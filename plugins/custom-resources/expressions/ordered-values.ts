import { type CelFunc, CelScalar, celMethod, mapType } from '@bufbuild/cel'
import { compareAmounts } from './quantity-functions.js'
import { compareVersions } from './version-functions.js'

const { BOOL, DYN, INT } = CelScalar
const Map_ = mapType(DYN, DYN)

/** Quantities and versions have the same comparison methods, and the library cannot distinguish the two types. */
function order(left: unknown, right: unknown, name: string): number {
  const found = compareAmounts(left, right) ?? compareVersions(left, right)
  if (found === undefined) throw new Error(`no such overload: ${name}`)
  return Math.sign(found)
}
const compared = (name: string, holds: (order: number) => boolean) =>
  celMethod(name, Map_, [DYN], BOOL, function (this: unknown, other: unknown) {
    return holds(order(this, other, name))
  })

export const orderFunctions: CelFunc[] = [
  compared('isLessThan', found => found < 0),
  compared('isGreaterThan', found => found > 0),
  celMethod('compareTo', Map_, [DYN], INT, function (this: unknown, other: unknown) {
    return BigInt(order(this, other, 'compareTo'))
  }),
]

import { type CelFunc, type CelList, CelScalar, celFunc, listType } from '@bufbuild/cel'
import { isEqual } from './equality.js'
import { charge } from './meter.js'

const { BOOL, DYN } = CelScalar
const List = listType(DYN)

/** Charges for comparing every item of one list with every item of the other. */
const compare = (left: CelList, right: CelList, answer: (left: unknown[], right: unknown[]) => boolean) => {
  charge(1 + left.size * right.size)
  return answer([...left], [...right])
}
const has = (list: readonly unknown[], wanted: unknown) => list.some(item => isEqual(item, wanted))
const contains = (left: unknown[], right: unknown[]) => right.every(item => has(left, item))

/** Lists as sets: `sets.contains(object.spec.groups, ['a', 'b'])`. */
export const setFunctions: CelFunc[] = [
  celFunc('sets.contains', [List, List], BOOL, (left, right) => compare(left, right, contains)),
  celFunc('sets.equivalent', [List, List], BOOL, (left, right) => {
    charge(left.size * right.size)
    return compare(left, right, (a, b) => contains(a, b) && contains(b, a))
  }),
  celFunc('sets.intersects', [List, List], BOOL, (left, right) =>
    compare(left, right, (a, b) => b.some(item => has(a, item))),
  ),
]

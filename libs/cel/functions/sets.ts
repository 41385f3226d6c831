import type { CallEstimator } from '../cost/estimate-calls.js'
import { add, exactly, multiply, scale } from '../cost/range.js'
import { isEqual } from '../run/equality.js'
import { type CelList, sizeOfValue } from '../run/values.js'
import type { Work } from '../run/work.js'
import { func, type Library } from './overload.js'

function has(work: Work, list: CelList, wanted: unknown): boolean {
  for (let i = 0; i < list.size; i++) if (isEqual(work, list.get(i), wanted)) return true
  return false
}
function contains(work: Work, list: CelList, part: CelList): boolean {
  for (const item of part) if (!has(work, list, item)) return false
  return true
}
function intersects(work: Work, one: CelList, other: CelList): boolean {
  for (const item of one) if (has(work, other, item)) return true
  return false
}

const pairs = (factor: number) => ({
  estimate: ((_, [one, other], sizes) => ({
    cost: add(exactly(1), scale(multiply(sizes.sizeOf(one), sizes.sizeOf(other)), factor)),
  })) satisfies CallEstimator,
  cost: ([one, other]: readonly unknown[]) => 1 + sizeOfValue(one) * sizeOfValue(other) * factor,
})

/** Lists as sets: `sets.contains(object.spec.groups, ['a', 'b'])`. */
export const sets: Library = {
  name: 'sets',
  since: 29,
  functions: {
    'sets.contains': { list_sets_contains_list: func('list(T),list(T):bool', contains, pairs(1)) },
    'sets.intersects': { list_sets_intersects_list: func('list(T),list(T):bool', intersects, pairs(1)) },
    'sets.equivalent': {
      list_sets_equivalent_list: func(
        'list(T),list(T):bool',
        (work, one, other) => contains(work, one, other) && contains(work, other, one),
        pairs(2),
      ),
    },
  },
}

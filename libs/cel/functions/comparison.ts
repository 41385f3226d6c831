import { compareValues, isEqual } from '../run/equality.js'
import type { CelList, CelMap } from '../run/values.js'
import type { Work } from '../run/work.js'
import { func, type Library } from './overload.js'

const names = {
  bool: 'bool',
  int: 'int64',
  uint: 'uint64',
  double: 'double',
  string: 'string',
  bytes: 'bytes',
} as const
const numbers = ['int', 'uint', 'double'] as const

function comparisons(name: string, holds: (order: number) => boolean) {
  const run = (work: Work, one: unknown, other: unknown) =>
    // Nothing is less or greater than NaN.
    !Number.isNaN(one) && !Number.isNaN(other) && holds(compareValues(work, one, other))
  const same = [...Object.entries(names), ['timestamp', 'timestamp'], ['duration', 'duration']] as const
  const mixed = numbers.flatMap(one => numbers.filter(other => other !== one).map(other => [one, other] as const))
  return {
    same: Object.fromEntries(same.map(([type, written]) => [`${name}_${written}`, func(`${type},${type}:bool`, run)])),
    mixed: Object.fromEntries(
      mixed.map(([one, other]) => [`${name}_${names[one]}_${names[other]}`, func(`${one},${other}:bool`, run)]),
    ),
  }
}
const ordered = {
  '_<_': comparisons('less', order => order < 0),
  '_<=_': comparisons('less_equals', order => order <= 0),
  '_>_': comparisons('greater', order => order > 0),
  '_>=_': comparisons('greater_equals', order => order >= 0),
}

function isIn(work: Work, wanted: unknown, list: CelList): boolean {
  for (let i = 0; i < list.size; i++) if (isEqual(work, list.get(i), wanted)) return true
  return false
}

export const comparison: Library = {
  name: 'comparison',
  since: 0,
  functions: {
    // The planner implements operators without an implementation: they do not evaluate all of their operands.
    '_?_:_': { conditional: func('bool,A,A:A') },
    '_&&_': { logical_and: func('bool,bool:bool') },
    '_||_': { logical_or: func('bool,bool:bool') },
    '@not_strictly_false': { not_strictly_false: func('bool:bool') },
    '_[_]': { index_list: func('list(A),int:A'), index_map: func('map(A,B),A:B') },
    '!_': { logical_not: func('bool:bool', (_, value: boolean) => !value) },
    '_==_': { equals: func('A,A:bool', isEqual) },
    '_!=_': { not_equals: func('A,A:bool', (work, one, other) => !isEqual(work, one, other)) },
    ...Object.fromEntries(Object.entries(ordered).map(([operator, { same }]) => [operator, same])),
    '@in': {
      in_list: func('A,list(A):bool', isIn),
      in_map: func('A,map(A,B):bool', (work, key: unknown, map: CelMap) => {
        work.steps(2)
        return map.has(key)
      }),
    },
  },
}

/** Comparing numbers of different types was added in a later version of the language. */
export const mixedComparison: Library = {
  name: 'comparison of numbers of different types',
  since: 28,
  functions: Object.fromEntries(Object.entries(ordered).map(([operator, { mixed }]) => [operator, mixed])),
}

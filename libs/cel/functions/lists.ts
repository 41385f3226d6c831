import type { CallEstimate, EstimatedNode } from '../cost/estimate-calls.js'
import { listCost, traversalFactor } from '../cost/factors.js'
import { add, exactly, multiply, type Range, scale, unbounded } from '../cost/range.js'
import { compareValues, isEqual } from '../run/equality.js'
import { ArrayList, CelList, sizeOfValue, typeNameOfValue } from '../run/values.js'
import { Failure, type Work } from '../run/work.js'
import { sortByKeys } from '../syntax/macros.js'
import { func, type Library, method } from './overload.js'

const comparable = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes']
/** Type names as used in overload ids. */
const idOf = (type: string) =>
  type === 'duration' ? 'google.protobuf.Duration' : type === 'timestamp' ? 'google.protobuf.Timestamp' : type

const allocating = (factor: number, size: Range): CallEstimate => ({
  cost: add(scale(size, factor), exactly(1 + listCost)),
  resultSize: size,
})
const allocatingCost = (factor: number, size: number): number => Math.floor(size * factor) + 1 + listCost
const integerOf = (node: EstimatedNode | undefined, otherwise: number): number =>
  node?.expr?.kind === 'literal' && typeof node.expr.value === 'bigint'
    ? Math.max(0, Number(node.expr.value))
    : otherwise

/** Comparing every item with every other one. */
const selfCompareFactor = (isText: boolean) => (isText ? 2 + traversalFactor : 2)
const selfCompareCost = (list: CelList): number => {
  const [first] = list.size > 0 ? [list.get(0)] : []
  const isText = typeof first === 'string' || first instanceof Uint8Array
  return allocatingCost(selfCompareFactor(isText), list.size ** 2)
}

function flatten(work: Work, list: CelList, depth: bigint, into: unknown[]): void {
  if (depth < 0n) throw new Failure('level must be non-negative')
  for (const item of list) {
    work.steps(2)
    if (depth > 0n && item instanceof CelList) flatten(work, item, depth - 1n, into)
    else into.push(item)
  }
}
function flattened(work: Work, list: CelList, depth = 1n): CelList {
  const items: unknown[] = []
  flatten(work, list, depth, items)
  return new ArrayList(items)
}

function slice(work: Work, list: CelList, start: bigint, end: bigint): CelList {
  const wanted = `cannot slice(${start}, ${end})`
  if (start < 0n || end < 0n) throw new Failure(`${wanted}, negative indexes not supported`)
  if (start > end) throw new Failure(`${wanted}, start index must be less than or equal to end index`)
  if (BigInt(list.size) < end) throw new Failure(`${wanted}, list is length ${list.size}`)
  work.steps(2 * Number(end - start))
  const items: unknown[] = []
  for (let i = Number(start); i < Number(end); i++) items.push(list.get(i))
  return new ArrayList(items)
}

function sorted(work: Work, list: CelList, keys: CelList): CelList {
  const { size } = list
  if (size !== keys.size) throw new Failure('sortBy: lists of different sizes')
  if (size === 0) return list
  work.steps(size * 4)
  const typeName = typeNameOfValue(keys.get(0))
  const entries = [...list].map((item, i) => ({ item, key: keys.get(i) }))
  if (entries.some(({ key }) => typeNameOfValue(key) !== typeName))
    throw new Failure('list elements must have the same type')
  entries.sort((one, other) => {
    work.steps(4)
    return compareValues(work, one.key, other.key)
  })
  return new ArrayList(entries.map(({ item }) => item))
}

function distinct(work: Work, list: CelList): CelList {
  const items: unknown[] = []
  for (const item of list) if (!items.some(known => isEqual(work, item, known))) items.push(item)
  return new ArrayList(items)
}

function reversed(work: Work, list: CelList): CelList {
  work.steps(2 * list.size)
  return new ArrayList([...list].reverse())
}

/** The budget does not cover a longer range. */
const maxRange = 10_000_000
function range(work: Work, count: bigint): CelList {
  const size = count < 0n ? 0 : count > maxRange ? maxRange : Number(count)
  work.steps(size * 3)
  return new ArrayList(Array.from({ length: size }, (_, i) => BigInt(i)))
}

/** The list library in its third version. */
export const lists: Library = {
  name: 'lists',
  since: 34,
  functions: {
    slice: {
      list_slice: method('list(T),int,int:list(T)', slice, {
        estimate: (target, [start, end], sizes) =>
          allocating(1, exactly(Math.max(0, integerOf(end, sizes.sizeOf(target).max) - integerOf(start, 0)))),
        cost: ([, start, end]) => allocatingCost(1, Math.max(0, Number(end) - Number(start))),
      }),
    },
    flatten: {
      list_flatten: method('list(list(T)):list(T)', (work, list) => flattened(work, list), {
        estimate: (target, _, sizes) => allocating(1, sizes.sizeOf(target)),
        cost: ([list]) => allocatingCost(1, sizeOfValue(list)),
      }),
      list_flatten_int: method('list(dyn),int:list(dyn)', flattened, {
        estimate: (target, [depth], sizes) => allocating(integerOf(depth, unbounded), sizes.sizeOf(target)),
        cost: ([list, depth]) => allocatingCost(Math.max(0, Number(depth)), sizeOfValue(list)),
      }),
    },
    sort: Object.fromEntries(
      comparable.map(type => [
        `list_${idOf(type)}_sort`,
        method(`list(${type}):list(${type})`, (work, list) => sorted(work, list, list), {
          estimate: (target, _, sizes) => estimateSort(type, sizes.sizeOf(target)),
          cost: ([list]) => selfCompareCost(list as CelList),
        }),
      ]),
    ),
    [sortByKeys]: Object.fromEntries(
      comparable.map(type => [
        `list_${idOf(type)}_sortByAssociatedKeys`,
        method(`list(T),list(${type}):list(T)`, sorted, {
          estimate: (_, [keys], sizes) => estimateSort(type, sizes.sizeOf(keys)),
          cost: ([, keys]) => selfCompareCost(keys as CelList),
        }),
      ]),
    ),
    'lists.range': {
      lists_range: func('int:list(int)', range, {
        estimate: (_, [count]) => allocating(1, exactly(integerOf(count, unbounded))),
        cost: ([count]) => allocatingCost(1, Math.max(0, Number(count))),
      }),
    },
    reverse: {
      list_reverse: method('list(T):list(T)', reversed, {
        estimate: (target, _, sizes) => allocating(1, sizes.sizeOf(target)),
        cost: ([list]) => allocatingCost(1, sizeOfValue(list)),
      }),
    },
    distinct: {
      list_distinct: method('list(T):list(T)', distinct, {
        estimate: (target, _, sizes) => {
          const size = sizes.sizeOf(target)
          return allocating(2, multiply(size, size))
        },
        cost: ([list]) => selfCompareCost(list as CelList),
      }),
    },
  },
}

const estimateSort = (type: string, size: Range): CallEstimate =>
  allocating(selfCompareFactor(type === 'string' || type === 'bytes'), multiply(size, size))

import {
  type CelList,
  compareValues,
  Duration,
  Failure,
  isEqual,
  type Library,
  method,
  Uint,
  type Work,
} from '../../cel/index.js'

const comparable = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes']
const forTypes = (types: readonly string[], make: (type: string) => [string, ReturnType<typeof method>]) =>
  Object.fromEntries(types.map(make))

function isSorted(work: Work, list: CelList): boolean {
  for (let i = 1; i < list.size; i++) if (compareValues(work, list.get(i - 1), list.get(i)) > 0) return false
  return true
}
function extreme(work: Work, list: CelList, wanted: -1 | 1, name: string): unknown {
  if (list.size === 0) throw new Failure(`${name} called on empty list`)
  let best = list.get(0)
  for (let i = 1; i < list.size; i++) {
    const value = list.get(i)
    if (compareValues(work, value, best) === wanted) best = value
  }
  return best
}

const zeros: Readonly<Record<string, unknown>> = { int: 0n, uint: new Uint(0n), double: 0, duration: new Duration(0n) }
const limits: Readonly<Record<string, readonly [bigint, bigint]>> = {
  int: [-(2n ** 63n), 2n ** 63n - 1n],
  duration: [-(2n ** 63n), 2n ** 63n - 1n],
  uint: [0n, 2n ** 64n - 1n],
}
function sum(work: Work, list: CelList, type: string): unknown {
  work.steps(list.size * 3)
  if (type === 'double') {
    let total = 0
    for (const value of list) total += numberOf(value)
    return total
  }
  const [min, max] = limits[type]!
  let total = 0n
  for (const value of list) {
    total += integerOf(value)
    if (total < min || total > max) throw new Failure('integer overflow')
  }
  if (list.size === 0) return zeros[type]
  return type === 'int' ? total : type === 'uint' ? new Uint(total) : new Duration(total)
}
function numberOf(value: unknown): number {
  if (typeof value === 'number') return value
  throw new Failure('no such overload: sum')
}
function integerOf(value: unknown): bigint {
  if (typeof value === 'bigint') return value
  if (value instanceof Uint) return value.value
  if (value instanceof Duration) return value.nanoseconds
  throw new Failure('no such overload: sum')
}

function indexOf(work: Work, list: CelList, wanted: unknown): bigint {
  for (let i = 0; i < list.size; i++) if (isEqual(work, list.get(i), wanted)) return BigInt(i)
  return -1n
}
function lastIndexOf(work: Work, list: CelList, wanted: unknown): bigint {
  for (let i = list.size - 1; i >= 0; i--) if (isEqual(work, list.get(i), wanted)) return BigInt(i)
  return -1n
}

/** Functions over the values of a list. */
export const listValues: Library = {
  name: 'list values',
  since: 0,
  functions: {
    isSorted: forTypes(comparable, type => [`list_${type}_is_sorted_bool`, method(`list(${type}):bool`, isSorted)]),
    sum: forTypes(['int', 'uint', 'double', 'duration'], type => [
      `list_${type}_sum_${type}`,
      method(`list(${type}):${type}`, (work, list) => sum(work, list, type)),
    ]),
    max: forTypes(comparable, type => [
      `list_${type}_max_${type}`,
      method(`list(${type}):${type}`, (work, list) => extreme(work, list, 1, 'max')),
    ]),
    min: forTypes(comparable, type => [
      `list_${type}_min_${type}`,
      method(`list(${type}):${type}`, (work, list) => extreme(work, list, -1, 'min')),
    ]),
    indexOf: { list_a_index_of_int: method('list(A),A:int', indexOf) },
    lastIndexOf: { list_a_last_index_of_int: method('list(A),A:int', lastIndexOf) },
  },
}

import { CelList, CelMap, Duration, OpaqueValue, Optional, StructValue, Timestamp, TypeValue, Uint } from './values.js'
import { Failure, type Work } from './work.js'

/** Characters that are compared in one step. */
export const charactersPerStep = 32

/**
 * Whether two values are equal in the sense of `==`. Values can share parts, so a small value can have billions of
 * paths: every visit is charged, not the memory that the values occupy.
 */
export function isEqual(work: Work, one: unknown, other: unknown): boolean {
  work.steps(1)
  switch (typeof one) {
    case 'string':
      if (typeof other !== 'string' || one.length !== other.length) return false
      work.steps(one.length / charactersPerStep)
      return one === other
    case 'bigint':
    case 'number':
      return isEqualNumber(one, other)
    case 'boolean':
      return one === other
  }
  if (one === null || other === null) return one === other
  if (one instanceof CelList) return other instanceof CelList && isEqualList(work, one, other)
  if (one instanceof CelMap) return other instanceof CelMap && isEqualMap(work, one, other)
  if (one instanceof Uint) return isEqualNumber(one.value, other)
  if (one instanceof Timestamp) return other instanceof Timestamp && one.nanoseconds === other.nanoseconds
  if (one instanceof Duration) return other instanceof Duration && one.nanoseconds === other.nanoseconds
  if (one instanceof TypeValue) return other instanceof TypeValue && one.name === other.name
  if (one instanceof Uint8Array) {
    if (!(other instanceof Uint8Array) || one.length !== other.length) return false
    work.steps(one.length / charactersPerStep)
    return Buffer.compare(one, other) === 0
  }
  if (one instanceof Optional) {
    if (!(other instanceof Optional)) return false
    if (!one.some || !other.some) return one.some === other.some
    return isEqual(work, one.some.value, other.some.value)
  }
  if (one instanceof OpaqueValue) {
    work.steps(20)
    return other instanceof OpaqueValue && one.typeName === other.typeName && one.equals(other)
  }
  throw new Failure('no such overload: ==')
}

/** Numbers of different types are equal if their values are. */
function isEqualNumber(one: bigint | number, other: unknown): boolean {
  const right = other instanceof Uint ? other.value : other
  if (typeof right === typeof one) return one === right
  if (typeof right !== 'bigint' && typeof right !== 'number') return false
  const [whole, double] = typeof one === 'bigint' ? [one, right as number] : [right as bigint, one]
  return Number.isInteger(double) && BigInt(double) === whole
}

function isEqualList(work: Work, one: CelList, other: CelList): boolean {
  const { size } = one
  if (size !== other.size) return false
  if (one.semantics) return isEqualByKeys(work, one, one.semantics, other)
  for (let i = 0; i < size; i++) if (!isEqual(work, one.get(i), other.get(i))) return false
  return true
}

/** Sets and map lists are equal in any order. */
function isEqualByKeys(
  work: Work,
  one: CelList,
  semantics: NonNullable<CelList['semantics']>,
  other: CelList,
): boolean {
  const known = new Map<string, unknown>()
  const charge = (steps: number) => work.steps(steps)
  for (const item of one) known.set(semantics.keyOf(item, charge), item)
  for (const item of other) {
    const key = semantics.keyOf(item, charge)
    if (!known.has(key)) return false
    if (semantics.comparesItems && !isEqual(work, known.get(key), item)) return false
  }
  return true
}

function isEqualMap(work: Work, one: CelMap, other: CelMap): boolean {
  if (one.size !== other.size) return false
  if (one instanceof StructValue && other instanceof StructValue && one.typeName !== other.typeName) return false
  for (const key of one.keys()) {
    work.steps(2)
    const found = other.get(key)
    if (found === undefined || !isEqual(work, one.get(key), found)) return false
  }
  return true
}

/** The order of two values of comparable types: -1, 0 or 1. Throws a Failure for others. */
export function compareValues(work: Work, one: unknown, other: unknown): number {
  work.steps(1)
  if (typeof one === 'bigint' && typeof other === 'bigint') return one < other ? -1 : one > other ? 1 : 0
  if (typeof one === 'string' && typeof other === 'string') {
    work.steps(Math.min(one.length, other.length) / 8)
    return compareText(one, other)
  }
  if (typeof one === 'number' && typeof other === 'number') return one < other ? -1 : one > other ? 1 : 0
  work.steps(4)
  const [left, right] = [orderOf(one), orderOf(other)]
  if (left !== undefined && right !== undefined && orderName(one) === orderName(other))
    return left < right ? -1 : left > right ? 1 : 0
  if (one instanceof Uint8Array && other instanceof Uint8Array) {
    work.steps(Math.min(one.length, other.length) / charactersPerStep)
    return Buffer.compare(one, other)
  }
  throw new Failure('no such overload')
}
function orderOf(value: unknown): bigint | number | undefined {
  if (typeof value === 'bigint' || typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Uint) return value.value
  return value instanceof Timestamp || value instanceof Duration ? value.nanoseconds : undefined
}
/** Only values of one kind are comparable; numbers are, whatever their type. */
function orderName(value: unknown): string {
  if (typeof value === 'boolean') return 'bool'
  if (value instanceof Timestamp) return 'timestamp'
  return value instanceof Duration ? 'duration' : 'number'
}

const surrogate = /[\ud800-\udfff]/
/** By code points: UTF-16 code units sort surrogates differently. */
function compareText(one: string, other: string): number {
  if (one === other) return 0
  if (surrogate.test(one) || surrogate.test(other)) return Buffer.compare(Buffer.from(one), Buffer.from(other))
  return one < other ? -1 : 1
}

import type { ResourceList } from 'orch/sdk/core'
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type QuantityAmount,
  subtractQuantities,
} from 'orch/sdk/validation'

/** Parsed amounts of named resources. Must not be modified. */
export type Amounts = ReadonlyMap<string, QuantityAmount>

export const zero = parseQuantity('0')
export const one = parseQuantity('1')
export const noAmounts: Amounts = new Map()

export const parseAmounts = (list: Readonly<ResourceList> | undefined): Amounts =>
  new Map(Object.entries(list ?? {}).map(([name, amount]) => [name, parseQuantity(amount)]))

export const formatAmounts = (amounts: Amounts): ResourceList =>
  Object.fromEntries([...amounts].map(([name, amount]) => [name, formatQuantity(amount)]))

/** The sum of every resource in any of the lists. */
export const sumAmounts = (lists: Iterable<Amounts>): Amounts => combine(lists, addQuantities)
/** The largest amount of every resource in any of the lists. */
export const maxAmounts = (lists: Iterable<Amounts>): Amounts =>
  combine(lists, (a, b) => (compareQuantities(a, b) >= 0 ? a : b))

/**
 * Combines all lists into one map rather than pairwise: a Pod may have thousands of containers with thousands of
 * resources.
 */
function combine(
  lists: Iterable<Amounts>,
  join: (left: QuantityAmount, right: QuantityAmount) => QuantityAmount,
): Amounts {
  const result = new Map<string, QuantityAmount>()
  for (const list of lists)
    for (const [name, amount] of list) {
      const known = result.get(name)
      result.set(name, known ? join(known, amount) : amount)
    }
  return result
}

/** The resources of `left`, minus their amounts in `right`. */
export const subtractAmounts = (left: Amounts, right: Amounts): Amounts =>
  right.size === 0
    ? left
    : new Map([...left].map(([name, amount]) => [name, subtractQuantities(amount, right.get(name) ?? zero)]))

/** By how much `left` exceeds `right`; only resources where it does. */
export function excessOf(left: Amounts, right: Amounts): Amounts {
  const result = new Map<string, QuantityAmount>()
  for (const [name, amount] of left) {
    const more = subtractQuantities(amount, right.get(name) ?? zero)
    if (more.unscaled > 0n) result.set(name, more)
  }
  return result
}

/** The resources for which the predicate is true. */
export const pickAmounts = (amounts: Amounts, isIncluded: (name: string, amount: QuantityAmount) => boolean): Amounts =>
  new Map([...amounts].filter(([name, amount]) => isIncluded(name, amount)))

/** Do both name the same resources with equal amounts? */
export const areEqualAmounts = (left: Amounts, right: Amounts): boolean =>
  left.size === right.size &&
  [...left].every(([name, amount]) => {
    const other = right.get(name)
    return other !== undefined && compareQuantities(amount, other) === 0
  })

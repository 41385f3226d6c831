import { sizeOfValue } from '../run/values.js'
import { comparesSizes } from './core-estimates.js'
import { patternFactor, traversalFactor } from './factors.js'

/** The cost of traversing a value of this size. */
export const traversal = (size: number, factor = traversalFactor): number => Math.ceil(size * factor)
/** The cost of matching a pattern. Even the empty string is charged. */
export const matching = (textSize: number, patternSize: number): number =>
  traversal(1 + textSize) * traversal(patternSize, patternFactor)

const proportional = new Set([
  ...['starts_with_string', 'ends_with_string', 'string_to_bytes', 'bytes_to_string', 'strings_quote', 'string_format'],
  ...['in_list', 'add_string', 'add_bytes', 'matches_string', 'contains_string'],
])
/** Whether every call of an overload of the core language costs one unit. */
export const isFixedCost = (overload: string): boolean => !proportional.has(overload) && !comparesSizes.has(overload)

/** The cost of one call of a function or operator of the core language. */
export function coreCallCost(overload: string, args: readonly unknown[]): number {
  const size = (index: number) => sizeOfValue(args[index])
  switch (overload) {
    case 'starts_with_string':
    case 'ends_with_string':
    case 'string_to_bytes':
    case 'bytes_to_string':
    case 'strings_quote':
    case 'string_format':
      return traversal(size(0))
    case 'in_list':
      return size(1)
    case 'add_string':
    case 'add_bytes':
      return traversal(size(0) + size(1))
    case 'matches_string':
      return matching(size(0), size(1))
    case 'contains_string':
      return traversal(size(0)) * traversal(size(1))
    default:
      return comparesSizes.has(overload) ? traversal(Math.min(size(0), size(1))) : 1
  }
}

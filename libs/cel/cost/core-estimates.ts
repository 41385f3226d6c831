import type { CallEstimate, EstimatedNode } from './estimate-calls.js'
import { patternFactor, traversalFactor } from './factors.js'
import { add, exactly, multiply, type Range, scale, union, unknownRange } from './range.js'

/** Comparisons that are proportional to the smaller operand. */
export const comparesSizes: ReadonlySet<string> = new Set([
  'equals',
  'not_equals',
  ...['less', 'less_equals', 'greater', 'greater_equals'].flatMap(name => [`${name}_string`, `${name}_bytes`]),
])

/** The estimate of a call of the core language, with its arguments. */
export function estimateCoreCall(
  overload: string,
  target: EstimatedNode | undefined,
  args: readonly EstimatedNode[],
  argCosts: readonly Range[],
): CallEstimate {
  const withArgs = (cost: Range, resultSize?: Range): CallEstimate => ({
    cost: add(cost, ...argCosts),
    ...(resultSize ? { resultSize } : {}),
  })
  const computed = (node: EstimatedNode | undefined) => node?.computedSize ?? unknownRange
  const [first, second] = args
  switch (overload) {
    case 'string_format':
      return withArgs(scale(computed(target), traversalFactor))
    case 'string_to_bytes': {
      const size = computed(first)
      return withArgs(scale(size, traversalFactor), multiply(size, { min: 1, max: 4 }))
    }
    case 'bytes_to_string': {
      const size = computed(first)
      return withArgs(scale(size, traversalFactor), { min: Math.floor(size.min / 4), max: size.max })
    }
    case 'strings_quote': {
      const size = computed(first)
      return withArgs(scale(size, traversalFactor), add(multiply(size, { min: 1, max: 2 }), exactly(2)))
    }
    case 'starts_with_string':
    case 'ends_with_string':
      return withArgs(scale(computed(first), traversalFactor))
    case 'in_list':
      return withArgs(computed(second))
    case 'matches_string': {
      const textCost = scale(add(computed(target), exactly(1)), traversalFactor)
      return withArgs(multiply(textCost, scale(computed(first), patternFactor)))
    }
    case 'contains_string':
      return withArgs(multiply(scale(computed(target), traversalFactor), scale(computed(first), traversalFactor)))
    case 'logical_or':
    case 'logical_and':
      return { cost: { min: argCosts[0]!.min, max: add(...argCosts).max } }
    case 'conditional': {
      return {
        cost: add(argCosts[0]!, union(argCosts[1]!, argCosts[2]!)),
        resultSize: union(computed(second), computed(args[2])),
      }
    }
    case 'add_string':
    case 'add_bytes':
    case 'add_list': {
      const size = add(computed(first), computed(second))
      return withArgs(overload === 'add_list' ? exactly(1) : scale(size, traversalFactor), size)
    }
    default:
      if (!comparesSizes.has(overload)) return withArgs(exactly(1))
  }
  const smaller = Math.min(computed(first).max, computed(second).max)
  return withArgs(scale({ min: smaller > 0 ? 1 : 0, max: smaller }, traversalFactor))
}

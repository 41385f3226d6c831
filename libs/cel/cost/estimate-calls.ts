import type { Work } from '../run/work.js'
import type { Expr } from '../syntax/ast.js'
import type { Type } from '../types/cel-types.js'
import type { Range } from './range.js'

/** An argument of a call whose cost is estimated. */
export interface EstimatedNode {
  readonly type: Type
  /** Undefined for the items of a list. */
  readonly expr: Expr | undefined
  /** Where the value is in the variables: `['self', 'items', '@items']`. Undefined if it is computed. */
  readonly path: readonly string[] | undefined
  /** The size that follows from the expression itself; undefined if nothing does. */
  readonly computedSize: Range | undefined
}

export interface CallEstimate {
  readonly cost: Range
  readonly resultSize?: Range
}
export interface SizeEstimates {
  /** The size of a value; unbounded if nothing is known. */
  sizeOf(node: EstimatedNode | undefined): Range
  /** The items of a list. Undefined for other types. */
  itemsOf(list: EstimatedNode): EstimatedNode | undefined
}

/** Estimates a call, without its arguments. Undefined if it has no estimate for them. */
export type CallEstimator = (
  target: EstimatedNode | undefined,
  args: readonly EstimatedNode[],
  sizes: SizeEstimates,
) => CallEstimate | undefined

/** How functions outside of the core language are counted. Undefined for functions that cost one unit. */
export interface CostModel {
  estimate(
    name: string,
    overload: string,
    target: EstimatedNode | undefined,
    args: readonly EstimatedNode[],
    sizes: SizeEstimates,
  ): CallEstimate | undefined
  /** How calls of an overload are counted when they run. */
  costOf(name: string, overload: string): ((args: readonly unknown[], work: Work) => number) | undefined
}

import type { Expr } from '../syntax/ast.js'
import { isOptional, type Type } from '../types/cel-types.js'
import { exactly, type Range, union, zero } from './range.js'

/**
 * What the estimate takes into account beyond the sizes of variables. Older versions took less into account and
 * estimated higher.
 */
export interface EstimateRules {
  /** The result sizes of library functions and conversions. */
  readonly resultSizes: boolean
  /** The sizes of lists built by loops. */
  readonly loopSizes: boolean
  /** That `dyn(x)` is as large as `x`. */
  readonly dynSizes: boolean
  /** That an optional scalar is a scalar. */
  readonly optionalSizes: boolean
}
export const allRules: EstimateRules = { resultSizes: true, loopSizes: true, dynSizes: true, optionalSizes: true }

/** A range that covers all of them. */
export const unionOf = (ranges: readonly Range[]): Range =>
  ranges.length === 0 ? zero : ranges.reduce((all, range) => union(all, range))

/** The size of a literal: its characters, bytes, items or entries. */
export function sizeOfLiteral(expr: Expr): Range | undefined {
  if (expr.kind === 'list') return exactly(expr.items.length)
  if (expr.kind === 'map') return exactly(expr.entries.length)
  if (expr.kind !== 'literal') return undefined
  const { value } = expr
  if (typeof value === 'string') return exactly([...value].length)
  return exactly(value instanceof Uint8Array ? value.length : 1)
}

const scalars = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint'])
/** Whether all values of a type are of the same size. */
export const isScalar = (type: Type, rules: EstimateRules): boolean =>
  isOptional(type) ? rules.optionalSizes && isScalar(type.params[0]!, rules) : scalars.has(type.kind)

import { ExpressionError } from 'orch/sdk'
import { patternProblem } from '../schemas/pattern.js'
import { constantOf } from './environment.js'
import type { Expr } from './expression-types.js'
import { Failure } from './frame.js'

const takesPattern = new Set(['matches', 'find', 'findAll'])

/** Checks literal patterns, durations and timestamps at compile time: an invalid one would fail in every evaluation. */
export function checkLiterals(name: string, parts: readonly Expr[]): void {
  if (takesPattern.has(name)) {
    const pattern = textOf(parts[1])
    const problem = pattern === undefined ? undefined : patternProblem(pattern)
    if (problem !== undefined) throw new ExpressionError(`invalid matches argument: ${problem}`)
    return
  }
  const text = (name === 'duration' || name === 'timestamp') && textOf(parts[0])
  if (typeof text !== 'string') return
  try {
    constantOf(`${name}(${JSON.stringify(text)})`)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw new ExpressionError(`invalid ${name} argument: ${error.message}`)
  }
}

function textOf(expr: Expr | undefined): string | undefined {
  const constant = expr?.exprKind.case === 'constExpr' ? expr.exprKind.value.constantKind : undefined
  return constant?.case === 'stringValue' ? constant.value : undefined
}

import { parse } from '@bufbuild/cel'
import { ExpressionError } from 'orch/sdk'
import { type Checked, checkExpression, ExpressionMistake, leavesLiterals, makesChanges } from './check-expression.js'
import { withinLibrary } from './environment.js'
import { partsOf } from './expression-parts.js'
import { describeType, type Expr, type ExpressionType, matches, readType } from './expression-types.js'
import { expandLoopMacros } from './loop-macros.js'
import { type Meter, metered } from './meter.js'
import { expandOptionalMacros, plainOptionals } from './optional-syntax.js'
import { planExpression, type ReadVariable } from './plan-expression.js'

/** A compiled expression. */
export interface Program {
  readonly type: ExpressionType
  /** Upper bound of the cost of one run, estimated from the maximum sizes of the types. */
  readonly maxCost: number
  /** Whether it uses this variable. */
  uses(variable: string): boolean
  /** Returns the value or an error message. The actual cost is charged to the meter. */
  run(variables: Readonly<Record<string, unknown>>, meter: Meter): { value: unknown } | { error: string }
}

/** Longer or more deeply nested expressions are rejected. */
const maxLength = 100_000
const maxDepth = 100

export interface ProgramOptions {
  /** The allowed types of the value. */
  readonly results?: readonly string[]
  readonly mayMakeChanges?: boolean
  /** Whether literal patterns, durations and timestamps are checked at compile time. Those of a definition are not, as in 1.23. */
  readonly checksLiterals?: boolean
  /** How variables, including qualified ones such as `variables.a`, are read from the values of a run. By default by name. */
  readonly readers?: ReadonlyMap<string, ReadVariable>
}

/** Compiles an expression over variables of the given types. Throws an ExpressionError. */
export function compileExpression(
  text: string,
  variables: ReadonlyMap<string, ExpressionType>,
  { results = [], mayMakeChanges = false, checksLiterals = true, readers = readByName(variables) }: ProgramOptions = {},
): Program {
  if (text.length > maxLength) throw new ExpressionError(`an expression may have at most ${maxLength} characters`)
  const { expr, positions } = parsed(text)
  const { type, cost } = checked(
    text,
    expr,
    new Map([...variables, ...(mayMakeChanges ? [makesChanges] : []), ...(checksLiterals ? [] : [leavesLiterals])]),
    positions,
  )
  if (results.length > 0 && !results.some(result => matches(readType(result), type, new Map()))) {
    const wanted = results.length === 1 ? `a ${results[0]}` : `one of ${results.join(', ')}`
    throw new ExpressionError(`must evaluate to ${wanted}, not to ${describeType(type)}`)
  }
  const names = new Set<string>()
  collectNames(expr, names)
  let evaluate: ReturnType<typeof planExpression> | undefined
  return {
    type,
    maxCost: cost,
    uses: variable => names.has(variable),
    run(values, meter) {
      try {
        evaluate ??= planExpression(expr, readers)
        meter.charge(1)
        const run = evaluate
        const value = metered(meter, () => withinLibrary(() => run(values, meter)))
        // A logical operator may have absorbed the error; exceeding the limit is final all the same.
        return meter.isEmpty ? costExceeded : { value }
      } catch (thrown) {
        return meter.isEmpty ? costExceeded : { error: (thrown as { message?: string }).message || 'failed' }
      }
    },
  }
}
const costExceeded = { error: 'actual cost limit exceeded' } as const

const readByName = (variables: ReadonlyMap<string, unknown>): ReadonlyMap<string, ReadVariable> =>
  new Map([...variables.keys()].map(name => [name, values => values[name]]))

/** Positions of the parts of an expression in its text, by id. */
type Positions = Readonly<Record<string, number>>

function checked(text: string, expr: Expr, scope: ReadonlyMap<string, ExpressionType>, positions: Positions): Checked {
  try {
    return checkExpression(expr, scope)
  } catch (error) {
    const at = error instanceof ExpressionMistake ? positions[String(error.id)] : undefined
    if (at === undefined) throw error
    throw new ExpressionError(`ERROR: ${placed(text, at)}: ${(error as Error).message}${shownAt(text, at)}`)
  }
}
const lineStart = (text: string, at: number) => text.lastIndexOf('\n', at - 1) + 1
const placed = (text: string, at: number) =>
  `<input>:${text.slice(0, at).split('\n').length}:${at - lineStart(text, at) + 1}`
/** The line with the error, and a marker below it. */
function shownAt(text: string, at: number): string {
  const start = lineStart(text, at)
  const line = text.slice(start).split('\n', 1)[0]
  return `\n | ${line}\n | ${'.'.repeat(at - start)}^`
}

function parsed(text: string): { expr: Expr; positions: Positions } {
  let depth = 0
  for (const letter of text) {
    if ('([{'.includes(letter) && ++depth > maxDepth)
      throw new ExpressionError(`an expression may nest at most ${maxDepth} levels`)
    if (')]}'.includes(letter)) depth--
  }
  try {
    const plain = plainOptionals(text)
    const { expr, sourceInfo } = parse(plain)
    // Positions in rewritten text do not match the original.
    if (expr)
      return {
        expr: expandLoopMacros(expandOptionalMacros(expr)),
        positions: plain === text ? (sourceInfo?.positions ?? {}) : {},
      }
  } catch (error) {
    throw new ExpressionError(
      error instanceof RangeError ? 'the expression nests too deep' : `syntax error: ${(error as Error).message}`,
    )
  }
  throw new ExpressionError('the expression is empty')
}

function collectNames(expr: Expr, names: Set<string>): void {
  if (expr.exprKind.case === 'identExpr') names.add(expr.exprKind.value.name)
  for (const part of partsOf(expr)) collectNames(part, names)
}

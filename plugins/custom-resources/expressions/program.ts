import { CelScalar, celEnv, celFunc, isCelError, parse, plan } from '@bufbuild/cel'
import { ExpressionError } from 'orch/sdk'
import { compilePattern } from '../schemas/pattern.js'
import { addressFunctions } from './address-functions.js'
import { authorizerFunctions } from './authorizer-values.js'
import { changeFunctions } from './change-values.js'
import { type Checked, checkExpression, ExpressionMistake, makesChanges } from './check-expression.js'
import { describeType, type Expr, type ExpressionType, matches, readType } from './expression-types.js'
import { extensionFunctions } from './extension-functions.js'
import { charge, type Meter, metered } from './meter.js'
import { expandOptionalMacros, plainOptionals } from './optional-syntax.js'
import { optionalFunctions } from './optional-values.js'
import { onEachStep, onSize, partsOf, plannable } from './plannable.js'
import { quantityFunctions } from './quantity-functions.js'

/** A compiled expression. */
export interface Program {
  readonly type: ExpressionType
  /** The most that one run can cost, estimated from the sizes that the types allow. */
  readonly maxCost: number
  /** Does it use this variable? */
  uses(variable: string): boolean
  /** The value, or an error in words. A run costs what it really does, up to what the meter has left. */
  run(variables: Readonly<Record<string, unknown>>, meter: Meter): { value: unknown } | { error: string }
}

const { BOOL, INT, DYN } = CelScalar

const environment = celEnv({
  funcs: [
    ...extensionFunctions,
    ...optionalFunctions,
    ...authorizerFunctions,
    ...changeFunctions,
    ...quantityFunctions,
    ...addressFunctions,
    celFunc(onEachStep, [BOOL, INT], BOOL, (condition, cost) => {
      charge(Number(cost))
      return condition
    }),
    celFunc(onSize, [DYN], DYN, value => {
      charge(1 + sizeOf(value) * 0.1)
      return value as never
    }),
  ],
  re2: { compile: compilePattern },
})
const sizeOf = (value: unknown): number =>
  typeof value === 'string'
    ? value.length
    : ((value as { size?: number } | null)?.size ?? (value as { length?: number } | null)?.length ?? 1)

/** An expression longer than this, or nested deeper, is not read. */
const maxLength = 100_000
const maxDepth = 100

/** Compiles an expression over variables of the given types. Throws an ExpressionError. */
export function compileExpression(
  text: string,
  variables: ReadonlyMap<string, ExpressionType>,
  results: readonly string[] = [],
  mayMakeChanges = false,
): Program {
  if (text.length > maxLength) throw new ExpressionError(`an expression may have at most ${maxLength} characters`)
  const { expr, positions } = parsed(text)
  const { type, cost } = checked(
    text,
    expr,
    mayMakeChanges ? new Map([...variables, makesChanges]) : variables,
    positions,
  )
  if (results.length > 0 && !results.some(result => matches(readType(result), type, new Map()))) {
    const wanted = results.length === 1 ? `a ${results[0]}` : `one of ${results.join(', ')}`
    throw new ExpressionError(`must evaluate to ${wanted}, not to ${describeType(type)}`)
  }
  const names = new Set<string>()
  collectNames(expr, names)
  let evaluate: ReturnType<typeof plan> | undefined
  return {
    type,
    maxCost: cost,
    uses: variable => names.has(variable),
    run(values, meter) {
      evaluate ??= plan(environment, plannable(expr))
      const outcome = metered(meter, () => {
        try {
          charge(1)
          return (evaluate as (values: object) => unknown)(values)
        } catch (error) {
          return error
        }
      })
      // An error may have been absorbed by a logical operator on the way; too much is too much all the same.
      if (meter.isEmpty) return { error: 'actual cost limit exceeded' }
      if (outcome instanceof Error || isCelError(outcome))
        return { error: inWordsOfTheField((outcome as Error).message) }
      return { value: outcome }
    },
  }
}

/** What the library calls a field, others know as a key. */
const inWordsOfTheField = (message: string) => message.replace(/^field not found: /, 'no such key: ') || 'failed'

/** Where the parts of an expression are in its text, by their ids. */
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
/** The line with the mistake, and a mark under it. */
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
    // Positions in another text than the one that was written help nobody.
    if (expr)
      return { expr: expandOptionalMacros(expr), positions: plain === text ? (sourceInfo?.positions ?? {}) : {} }
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

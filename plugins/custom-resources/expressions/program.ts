import { CelScalar, celEnv, celFunc, isCelError, parse, plan } from '@bufbuild/cel'
import { ExpressionError } from 'orch/sdk'
import { compilePattern } from '../schemas/pattern.js'
import { type Checked, checkExpression, type Expr } from './check-expression.js'
import { describeType, type ExpressionType } from './expression-types.js'
import { extensionFunctions } from './extension-functions.js'
import { charge, type Meter, metered } from './meter.js'

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
/** Names that no expression can contain. */
const onEachStep = '@step'
const onSize = '@sized'

const environment = celEnv({
  funcs: [
    ...extensionFunctions,
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
  result?: ExpressionType['kind'],
): Program {
  if (text.length > maxLength) throw new ExpressionError(`an expression may have at most ${maxLength} characters`)
  const expr = parsed(text)
  const { type, cost }: Checked = checkExpression(expr, variables)
  if (result && type.kind !== result && type.kind !== 'dyn')
    throw new ExpressionError(`must evaluate to a ${result}, not to ${describeType(type)}`)
  const names = new Set<string>()
  collectNames(expr, names)
  let evaluate: ReturnType<typeof plan> | undefined
  return {
    type,
    maxCost: cost,
    uses: variable => names.has(variable),
    run(values, meter) {
      evaluate ??= plan(environment, withCosts(expr))
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
      if (outcome instanceof Error) return { error: outcome.message }
      if (isCelError(outcome)) return { error: (outcome as { message?: string }).message ?? 'failed' }
      return { value: outcome }
    },
  }
}

function parsed(text: string): Expr {
  let depth = 0
  for (const letter of text) {
    if ('([{'.includes(letter) && ++depth > maxDepth)
      throw new ExpressionError(`an expression may nest at most ${maxDepth} levels`)
    if (')]}'.includes(letter)) depth--
  }
  try {
    const { expr } = parse(text)
    if (expr) return expr
  } catch (error) {
    throw new ExpressionError(
      error instanceof RangeError ? 'the expression nests too deep' : `syntax error: ${(error as Error).message}`,
    )
  }
  throw new ExpressionError('the expression is empty')
}

/** The expressions inside an expression. */
function partsOf({ exprKind: kind }: Expr): Expr[] {
  const there = (parts: readonly (Expr | undefined)[]) => parts.filter(part => part !== undefined)
  switch (kind.case) {
    case 'selectExpr':
      return there([kind.value.operand])
    case 'callExpr':
      return there([kind.value.target, ...kind.value.args])
    case 'listExpr':
      return kind.value.elements
    case 'structExpr':
      return kind.value.entries.flatMap(({ keyKind, value }) =>
        there([keyKind.case === 'mapKey' ? keyKind.value : undefined, value]),
      )
    case 'comprehensionExpr': {
      const { iterRange, accuInit, loopCondition, loopStep, result } = kind.value
      return there([iterRange, accuInit, loopCondition, loopStep, result])
    }
    default:
      return []
  }
}

function collectNames(expr: Expr, names: Set<string>): void {
  if (expr.exprKind.case === 'identExpr') names.add(expr.exprKind.value.name)
  for (const part of partsOf(expr)) collectNames(part, names)
}

/** Calls whose work grows with what they are given. */
const growing = new Set([
  '_==_',
  '_!=_',
  '_+_',
  '@in',
  'contains',
  'matches',
  'find',
  'findAll',
  'replace',
  'split',
  'join',
  'indexOf',
  'lastIndexOf',
  'sum',
  'min',
  'max',
  'isSorted',
  'startsWith',
  'endsWith',
  'lowerAscii',
  'upperAscii',
  'trim',
  'substring',
  'size',
  'url',
  'isURL',
  '_<_',
  '_>_',
  '_<=_',
  '_>=_',
])

/**
 * The expression with its meter built in: every step of a loop and every call that grows with its input is charged. The library
 * counts nothing by itself.
 */
function withCosts(expr: Expr): Expr {
  for (const part of partsOf(expr)) withCosts(part)
  const { exprKind: kind } = expr
  if (kind.case === 'comprehensionExpr' && kind.value.loopCondition) {
    const condition = kind.value.loopCondition
    const cost = 2 + countParts(kind.value.loopStep)
    kind.value.loopCondition = callOf(condition, onEachStep, [condition, constantOf(condition, BigInt(cost))])
  } else if (kind.case === 'callExpr' && growing.has(kind.value.function)) {
    const { args, target } = kind.value
    if (target) kind.value.target = callOf(target, onSize, [target])
    kind.value.args = args.map(arg => (arg.exprKind.case === 'constExpr' ? arg : callOf(arg, onSize, [arg])))
  }
  return expr
}
const countParts = (expr: Expr | undefined): number =>
  expr ? partsOf(expr).reduce((sum, part) => sum + countParts(part), 1) : 0

const callOf = (like: Expr, name: string, args: Expr[]): Expr =>
  ({
    ...like,
    exprKind: { case: 'callExpr', value: { $typeName: 'cel.expr.Expr.Call', function: name, args } },
  }) as Expr
const constantOf = (like: Expr, value: bigint): Expr =>
  ({
    ...like,
    exprKind: {
      case: 'constExpr',
      value: { $typeName: 'cel.expr.Constant', constantKind: { case: 'int64Value', value } },
    },
  }) as Expr

import { estimateCost, type SizeAt } from './cost/estimate.js'
import type { CostModel } from './cost/estimate-calls.js'
import type { EstimateRules } from './cost/known-sizes.js'
import type { FunctionTable } from './environment.js'
import { patternProblem } from './functions/patterns.js'
import { parseDuration, parseTimestamp } from './functions/time.js'
import { planExpression, type ReadVariable } from './run/plan.js'
import { Failure, type Work, WorkExceeded } from './run/work.js'
import { type Expr, partsOf } from './syntax/ast.js'
import { parseExpression } from './syntax/parse.js'
import type { Type } from './types/cel-types.js'
import { checkExpression } from './types/check.js'
import { type LiteralChecks, validateExpression } from './types/validate.js'

/** A compiled expression. */
export interface Program {
  readonly type: Type
  /** Upper bound of the cost of one run, estimated from the maximum sizes of the variables. */
  readonly maxCost: number
  /** Whether the expression uses this variable. */
  uses(variable: string): boolean
  /** Returns the value or an error message. */
  run(values: Readonly<Record<string, unknown>>, work: Work): Outcome
}
export type Outcome = { readonly value: unknown } | { readonly error: string }

export interface CompileOptions {
  readonly functions: FunctionTable
  readonly costs: CostModel
  readonly variables: ReadonlyMap<string, Type>
  /** How variables are read from the values of a run. By default by name. */
  readonly readers?: ReadonlyMap<string, ReadVariable>
  readonly structs?: (name: string) => Type | undefined
  /** The maximum sizes of values, by their path; unknown sizes are unbounded. */
  readonly sizeAt?: SizeAt
  /** Which literals are checked at compile time instead of in every run; all by default. */
  readonly checksLiterals?: readonly LiteralKind[]
  /** What the cost estimate may rely on; everything by default. */
  readonly estimates?: EstimateRules
  /** The version `1.minor` whose macros are available. */
  readonly minor?: number
  /** Whether the macro `cel.bind` is available. */
  readonly hasBindings?: boolean
}

/** Literals that can be checked before an expression runs. `searches` are the patterns of `find` and `findAll`. */
export type LiteralKind = 'patterns' | 'durations' | 'timestamps' | 'searches' | 'formats'
const allLiterals: readonly LiteralKind[] = ['patterns', 'durations', 'timestamps', 'searches', 'formats']

const literalChecks: Readonly<Record<LiteralKind, LiteralChecks>> = {
  patterns: { matches: { argument: 1, problem: patternProblem } },
  durations: {
    duration: { argument: 0, problem: text => (parseDuration(text) ? undefined : `invalid duration ${text}`) },
  },
  timestamps: {
    timestamp: { argument: 0, problem: text => (parseTimestamp(text) ? undefined : `invalid timestamp ${text}`) },
  },
  searches: {
    find: { argument: 1, problem: patternProblem, isInternal: true },
    findAll: { argument: 1, problem: patternProblem, isInternal: true },
  },
  formats: {},
}

/** Compiles an expression. Throws a CelError. */
export function compileCel(text: string, options: CompileOptions): Program {
  const { functions, costs, variables, sizeAt = () => undefined } = options
  const checked = checkExpression(parseExpression(text, options), {
    functions,
    variables,
    ...(options.structs ? { structs: options.structs } : {}),
  })
  const kinds = options.checksLiterals ?? allLiterals
  validateExpression(checked, {
    literals: Object.assign({}, ...kinds.map(kind => literalChecks[kind])),
    checksFormats: kinds.includes('formats'),
  })
  const names = new Set<string>()
  collectNames(checked.root, names)
  const readers = options.readers ?? readByName(variables)
  let evaluate: ReturnType<typeof planExpression> | undefined
  return {
    type: checked.type,
    maxCost: estimateCost(checked, costs, sizeAt, options.minor, options.estimates).max,
    uses: variable => names.has(variable),
    run(values, work) {
      try {
        evaluate ??= planExpression(checked, readers, costs)
        const value = evaluate(values, work)
        return { value }
      } catch (thrown) {
        if (thrown instanceof Failure || thrown instanceof WorkExceeded) return { error: thrown.message }
        // A value that is nested too deep for the stack.
        if (thrown instanceof RangeError) return { error: 'the values are too large' }
        throw thrown
      }
    },
  }
}

const readByName = (variables: ReadonlyMap<string, unknown>): ReadonlyMap<string, ReadVariable> =>
  new Map([...variables.keys()].map(name => [name, values => values[name]]))

function collectNames(expr: Expr, names: Set<string>): void {
  if (expr.kind === 'ident') names.add(expr.name)
  for (const part of partsOf(expr)) collectNames(part, names)
}

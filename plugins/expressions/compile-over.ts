import {
  authorizerVariable,
  type Expression,
  type ExpressionAuthorizer,
  type ExpressionBudget,
  ExpressionError,
  type ExpressionOptions,
  type LanguageVersion,
} from 'orch/sdk/expressions'
import {
  CelError,
  CelMap,
  describeType,
  Failure,
  isExactType,
  listType,
  nullType,
  type Outcome,
  type Program,
  type ReadVariable,
  readType,
  structType,
  type Type,
  Work,
  WorkExceeded,
} from '../../libs/cel/index.js'
import type { SchemaNode } from '../../libs/json-schema/index.js'
import {
  type Appearance,
  appearanceOf,
  authorizerType,
  authorizerValue,
  changeType,
  checkPatchTypeNames,
  checkTypeNames,
  compileExpression,
  jsonOf,
  maxCallCost,
  open,
  requestResourceValue,
  resourceCheckType,
  sizeAt,
} from '../../libs/schema-cel/index.js'

type Values = Readonly<Record<string, unknown>>

/** The work of all evaluations that share a budget. */
const maxSharedSteps = 6_000_000
const stepsLeft = new WeakMap<ExpressionBudget, number>()

const composables = new WeakMap<Expression, Program>()
/** The property of a set of values with the results of composed variables. A WeakMap would take a quarter of the time of a typical policy. */
const results = Symbol('results of composed variables')
type ValuesWithResults = Values & { [results]?: Map<Program, Outcome> }

/** Compiles an expression over variables with schemas. Throws an ExpressionError. */
export function compileOver(
  text: string,
  variables: ReadonlyMap<string, SchemaNode>,
  { result = [], composed, makesChanges = false, hasBindings = false }: Omit<ExpressionOptions, 'variables' | 'isNew'>,
  language: { readonly minor?: number; readonly checksLiterals?: LanguageVersion['checksLiterals'] } = {},
): Expression {
  const types = new Map<string, Type>()
  const readers = new Map<string, ReadVariable>()
  const roots = new Map<string, Appearance>()
  for (const [name, schema] of variables) {
    if (schema.type === authorizerVariable.type) {
      const of = (values: Values) => values[name] as ExpressionAuthorizer
      types.set(name, authorizerType).set(`${name}.requestResource`, resourceCheckType)
      readers.set(name, values => authorizerValue(of(values)))
      readers.set(`${name}.requestResource`, values => requestResourceValue(of(values)))
      continue
    }
    const root = appearanceOfVariable(schema)
    roots.set(name, root)
    types.set(name, root.type)
    readers.set(name, values => root.toValue(values[name] ?? null))
  }
  if (composed) {
    const fields = new Map(Object.entries(composed.fields).map(([name, field]) => [name, composableOf(field)]))
    types.set(composed.name, structType(composed.name, new Map([...fields].map(([name, { type }]) => [name, type]))))
    readers.set(composed.name, (values, work) => new ComposedVariables(fields, values, work))
  }
  const program = compiled(text, {
    variables: types,
    readers,
    ...(makesChanges ? { structs: changeType, makesChanges } : {}),
    hasBindings,
    ...(language.minor === undefined ? {} : { minor: language.minor }),
    ...(language.checksLiterals ? { checksLiterals: language.checksLiterals } : {}),
    sizeAt: path => {
      const root = roots.get(path[0]!)
      return root && sizeAt(root, path)
    },
  })
  const wanted = typeof result === 'string' ? [result] : result
  checkResult(program.type, wanted)
  const expression: Expression = {
    maxCost: program.maxCost,
    uses: program.uses,
    evaluate(values, budget) {
      const steps = stepsLeft.get(budget) ?? maxSharedSteps
      const limit = Math.min(budget.left, maxCallCost)
      const work = new Work({ cost: limit, steps: Math.min(steps, maxSteps) })
      const outcome = evaluate(program, values, work, wanted)
      budget.left = Math.max(0, budget.left - (limit - work.left))
      stepsLeft.set(budget, Math.max(0, steps - work.stepsUsed))
      return outcome
    },
  }
  composables.set(expression, program)
  return expression
}
const maxSteps = 4_000_000

function compiled(...args: Parameters<typeof compileExpression>): Program {
  try {
    return compileExpression(...args)
  } catch (error) {
    throw error instanceof CelError ? new ExpressionError(error.message, error) : error
  }
}

function evaluate(program: Program, values: Values, work: Work, wanted: readonly string[]): Outcome {
  const outcome = program.run(values, work)
  if ('error' in outcome) return outcome
  try {
    if (wanted.includes('Object')) checkTypeNames(work, outcome.value)
    if (wanted.includes('list(JSONPatch)')) checkPatchTypeNames(work, outcome.value)
    return { value: jsonOf(work, outcome.value) }
  } catch (thrown) {
    if (thrown instanceof Failure || thrown instanceof WorkExceeded) return { error: thrown.message }
    throw thrown
  }
}

const resultTypes: Readonly<Record<string, Type>> = {
  null: nullType,
  Object: structType('Object'),
  'list(JSONPatch)': listType(structType('JSONPatch')),
}
function checkResult(type: Type, wanted: readonly string[]): void {
  if (wanted.length === 0 || type.kind === 'dyn') return
  if (wanted.some(name => isExactType(resultTypes[name] ?? readType(name), type))) return
  // An empty list, or one of unknown items.
  if (wanted.includes('list(JSONPatch)') && type.kind === 'list' && type.params[0]!.kind === 'dyn') return
  const shown = wanted.length === 1 ? `a ${wanted[0]}` : `one of ${wanted.join(', ')}`
  throw new ExpressionError(`must evaluate to ${shown}, not to ${describeType(type)}`)
}

/** Only expressions that this service compiled can be composed variables. */
function composableOf(expression: Expression): Program {
  const found = composables.get(expression)
  if (!found) throw new TypeError('a composed variable must have been compiled by the same service')
  return found
}

/** Variables whose values are computed when they are first used, once for one set of values. */
class ComposedVariables extends CelMap {
  readonly #programs: ReadonlyMap<string, Program>
  readonly #values: ValuesWithResults
  readonly #work: Work
  constructor(programs: ReadonlyMap<string, Program>, values: ValuesWithResults, work: Work) {
    super()
    this.#programs = programs
    this.#values = values
    this.#work = work
  }
  get size(): number {
    return this.#programs.size
  }
  keys(): Iterable<string> {
    return this.#programs.keys()
  }
  override has(key: unknown): boolean {
    return this.#programs.has(key as string)
  }
  /** An error can be absorbed: `true || variables.broken` is true. */
  get(key: unknown): unknown {
    const program = this.#programs.get(key as string)
    if (!program) return undefined
    const known = this.#values[results] ?? resultsFor(this.#values)
    let outcome = known.get(program)
    if (!outcome) known.set(program, (outcome = program.run(this.#values, this.#work)))
    if ('value' in outcome) return outcome.value
    throw new Failure(`composited variable ${JSON.stringify(key)} fails to evaluate: ${outcome.error}`)
  }
}

/** Results cannot be stored on a frozen object, so they are evaluated each time. */
function resultsFor(values: ValuesWithResults): Map<Program, Outcome> {
  const made = new Map<Program, Outcome>()
  if (Object.isExtensible(values)) values[results] = made
  return made
}

const appearances = new WeakMap<SchemaNode, Appearance>()
function appearanceOfVariable(schema: SchemaNode): Appearance {
  if (Object.keys(schema.source).length === 0) return open
  let appearance = appearances.get(schema)
  if (!appearance)
    appearances.set(schema, (appearance = appearanceOf(schema, false, { values: 'both', knowsEnums: true }) ?? open))
  return appearance
}

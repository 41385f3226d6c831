import { isCelList, isCelMap, isCelUint } from '@bufbuild/cel'
import { authorizerVariable, type Expression, type ExpressionAuthorizer, type ExpressionOptions } from 'orch/sdk'
import type { SchemaNode } from '../schemas/schema-node.js'
import { authorizerValue, requestResourceValue } from './authorizer-values.js'
import { checkPatchTypeNames, checkTypeNames } from './change-values.js'
import { dyn, type ExpressionType, scalar } from './expression-types.js'
import { Failure } from './frame.js'
import { Meter } from './meter.js'
import { openValue } from './open-values.js'
import type { ReadVariable } from './plan-expression.js'
import { compileExpression, type Program } from './program.js'
import { type Appearance, appearanceOf } from './schema-types.js'

type Values = Readonly<Record<string, unknown>>
type Outcome = ReturnType<Program['run']>

/** An expression that others can use as a composed variable. */
interface Composable {
  readonly type: ExpressionType
  run(values: Values, meter: Meter): Outcome
}
const composables = new WeakMap<Expression, Composable>()
/** Where a set of values keeps the results of composed variables. In a WeakMap they would cost a quarter of a usual policy. */
const results = Symbol('results of composed variables')
type ValuesWithResults = Values & { [results]?: Map<Composable, Outcome> }

/** Compiles an expression over variables with schemas. Throws an ExpressionError. */
export function compileOver(
  text: string,
  variables: ReadonlyMap<string, SchemaNode>,
  { result = [], composed, makesChanges = false }: Omit<ExpressionOptions, 'variables'>,
): Expression {
  const shown = new Map([...variables].map(([name, schema]) => [name, appearanceOfVariable(schema)]))
  const types = new Map([...shown].map(([name, { type }]) => [name, type]))
  const fields = Object.entries(composed?.fields ?? {}).map(([name, field]) => [name, composableOf(field)] as const)
  if (composed)
    types.set(composed.name, { kind: 'object', fields: new Map(fields.map(([name, { type }]) => [name, type])) })
  const wanted = typeof result === 'string' ? [result] : result
  const readers = new Map<string, ReadVariable>()
  for (const [name, { type, toValue }] of shown) {
    readers.set(name, values => toValue(values[name] ?? null))
    if (type.kind === 'authorizer')
      readers.set(`${name}.requestResource`, values => requestResourceValue(values[name] as ExpressionAuthorizer))
  }
  for (const [name, field] of fields)
    readers.set(`${composed!.name}.${name}`, (values, meter) => composedValue(name, field, values, meter))
  const { run, ...program } = compileExpression(text, types, { results: wanted, mayMakeChanges: makesChanges, readers })
  const expression: Expression = {
    maxCost: program.maxCost,
    uses: program.uses,
    evaluate(values, budget) {
      const meter = new Meter(budget.left)
      const outcome = run(values, meter)
      budget.left = Math.max(0, meter.left)
      if ('error' in outcome) return outcome
      try {
        if (wanted.includes('Object')) checkTypeNames(outcome.value)
        if (wanted.includes('list(JSONPatch)')) checkPatchTypeNames(outcome.value)
        return { value: jsonOf(outcome.value) }
      } catch (error) {
        return { error: (error as Error).message }
      }
    },
  }
  composables.set(expression, { type: program.type, run })
  return expression
}

/** Only expressions that this service compiled can be composed variables. */
function composableOf(expression: Expression): Composable {
  const found = composables.get(expression)
  if (!found) throw new TypeError('a composed variable must have been compiled by the same service')
  return found
}

/** Values that nobody may add to are evaluated anew each time. */
function resultsFor(values: ValuesWithResults): Map<Composable, Outcome> {
  const made = new Map<Composable, Outcome>()
  if (Object.isExtensible(values)) values[results] = made
  return made
}

/** The value of a composed variable. Its error can be absorbed: `true || variables.broken` is true. */
function composedValue(name: string, composable: Composable, values: ValuesWithResults, meter: Meter): unknown {
  const known = values[results] ?? resultsFor(values)
  let outcome = known.get(composable)
  if (!outcome) known.set(composable, (outcome = composable.run(values, meter)))
  if ('value' in outcome) return outcome.value
  throw new Failure(`composited variable ${JSON.stringify(name)} fails to evaluate: ${outcome.error}`)
}

const anything: Appearance = { type: dyn, toValue: openValue }
const anAuthorizer: Appearance = {
  type: scalar('authorizer'),
  toValue: value => authorizerValue(value as ExpressionAuthorizer),
}
const appearances = new WeakMap<SchemaNode, Appearance>()
function appearanceOfVariable(schema: SchemaNode): Appearance {
  if (schema.type === authorizerVariable.type) return anAuthorizer
  if (Object.keys(schema.source).length === 0) return anything
  let appearance = appearances.get(schema)
  if (!appearance) appearances.set(schema, (appearance = appearanceOf(schema, false, 'both') ?? anything))
  return appearance
}

/** Converts the value of an expression to JSON. Integers become numbers of JavaScript. */
function jsonOf(value: unknown): unknown {
  // What most rules and messages come to.
  if (typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (isCelUint(value)) return Number(value.value)
  if (isCelList(value) || Array.isArray(value)) return [...value].map(jsonOf)
  if (isCelMap(value) || value instanceof Map)
    return Object.fromEntries([...value.entries()].map(([key, each]) => [String(jsonOf(key)), jsonOf(each)]))
  return value
}

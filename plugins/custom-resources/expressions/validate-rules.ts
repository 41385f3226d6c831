import { addAll, ExpressionError, type FieldError, forbiddenField, invalidValue, requiredValue } from 'orch/sdk'
import { Optional, optionalType, type Program } from '../../../libs/cel/index.js'
import type { SchemaKeywords } from '../names.js'
import { itemSchema, type SchemaNode, type SchemaRule, valueSchema } from '../schemas/schema-node.js'
import { compileExpression } from './environment.js'
import type { ToValue } from './json-values.js'
import { type Appearance, appearanceOf, escapedName, maxRequestBytes, sizeAt } from './schema-types.js'

/** Limits of the estimated cost: of one rule for all values in an object, and of all rules of a schema. */
export const maxRuleCost = 10_000_000
export const maxSchemaCost = 100_000_000

/** A compiled rule. */
export interface CompiledRule {
  readonly rule: SchemaRule
  readonly index: number
  readonly program: Program
  /** Makes the message if the rule does not hold. */
  readonly message: Program | undefined
  /** Whether it uses `oldSelf`, and therefore applies only to updates, unless `oldSelf` is optional. */
  readonly isTransition: boolean
}
export interface SchemaRules {
  readonly rules: readonly CompiledRule[]
  readonly appearance: Appearance
  readonly toValue: ToValue
}
/** Called for each rule that does not compile. */
type Report = (index: number, part: 'rule' | 'messageExpression', why: string) => void

/** Compiles the rules of one schema. */
export function compileRules(
  schema: SchemaNode,
  isRoot: boolean,
  report?: Report,
  appearance?: Appearance,
): SchemaRules | undefined {
  const compiling = compileRuleByRule(schema, isRoot, report, appearance)
  for (;;) {
    const { done, value } = compiling.next()
    if (done) return value
  }
}

/** The same, stopping after every rule: there may be thousands, and each takes a good part of a millisecond. */
export function* compileRuleByRule(
  schema: SchemaNode,
  isRoot: boolean,
  report: Report = () => {},
  known?: Appearance,
): Generator<void, SchemaRules | undefined> {
  if (schema.rules.length === 0) return undefined
  const appearance = known ?? appearanceOf(schema, isRoot || schema.embeddedResource)
  if (!appearance) {
    for (const index of schema.rules.keys()) report(index, 'rule', 'rules are not possible for values of this schema')
    return undefined
  }
  const rules: CompiledRule[] = []
  for (const [index, rule] of schema.rules.entries()) {
    if ((rule.rule ?? '').trim() === '') continue
    const compile = (text: string, part: 'rule' | 'messageExpression', type: 'bool' | 'string') => {
      try {
        const program = compileExpression(text, {
          variables: new Map([
            ['self', appearance.type],
            ['oldSelf', rule.optionalOldSelf ? optionalType(appearance.type) : appearance.type],
          ]),
          sizeAt: path => sizeAt(appearance, path),
          // Those of a definition are checked when they run, as in 1.23; since 1.29 they are when they are written.
          checksLiterals: false,
        })
        if (program.type.kind === type) return program
        const name = part === 'rule' ? 'cel expression' : part
        report(index, part, `${name} must evaluate to a ${type}`)
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error
        report(index, part, `${part === 'rule' ? '' : 'messageExpression '}compilation failed: ${error.message}`)
      }
      return undefined
    }
    const program = compile(rule.rule, 'rule', 'bool')
    if (!program) continue
    const message = rule.messageExpression ? compile(rule.messageExpression, 'messageExpression', 'string') : undefined
    rules.push({ rule, index, program, message, isTransition: program.uses('oldSelf') })
    yield
  }
  return { rules, appearance, toValue: appearance.toValue }
}

/** The old value of a rule that takes it as an optional value. */
export const optionalOld = (value: unknown, toValue: ToValue): Optional =>
  value === undefined || value === null ? Optional.none : Optional.of(toValue(value))

interface Position {
  readonly isRoot: boolean
  /** The maximum number of values of this schema in one object; undefined if a list or map above it has no limit. */
  readonly count: number | undefined
  /** Whether the old value can be identified. That of an item can be only in a list of type map. */
  readonly hasBefore: boolean
  /** How the values appear, where a schema above has rules; it need not be worked out again. */
  readonly appearance: Appearance | undefined
}

/** What all rules of a schema cost together. */
interface Total {
  cost: number
  /** The rules that matter most. */
  readonly most: { readonly path: string; readonly cost: number }[]
}
const maxNamed = 4

/** Validates the rules of a schema and their estimated cost. */
export function validateRules(schema: SchemaNode, path: string, keywords: SchemaKeywords): FieldError[] {
  const errors: FieldError[] = []
  const total: Total = { cost: 0, most: [] }
  const position = { isRoot: true, count: 1, hasBefore: true, appearance: undefined }
  visit(schema, path, position, keywords.validations, errors, total)
  if (total.cost > maxSchemaCost) {
    for (const { path: rule, cost } of total.most)
      errors.push(
        forbiddenField(
          rule,
          `contributed to estimated rule cost total exceeding cost limit for entire schema: ${cost}`,
        ),
      )
    errors.push(
      forbiddenField(path, tooCostly('estimated rule cost total for entire schema', total.cost, maxSchemaCost)),
    )
  }
  return errors
}

function observe(total: Total, path: string, cost: number): void {
  total.cost += cost
  if (cost < maxSchemaCost / 100) return
  total.most.push({ path, cost })
  total.most.sort((one, other) => other.cost - one.cost)
  total.most.length = Math.min(total.most.length, maxNamed)
}

function visit(
  schema: SchemaNode,
  path: string,
  position: Position,
  keyword: string,
  errors: FieldError[],
  total: Total,
): void {
  const rulesPath = `${path}.${keyword}`
  for (const [i, rule] of schema.rules.entries()) addAll(errors, validateText(rule, `${rulesPath}[${i}]`))
  const appearance =
    position.appearance ??
    (schema.rules.length > 0 ? appearanceOf(schema, position.isRoot || schema.embeddedResource) : undefined)
  const compiled = compileRules(
    schema,
    position.isRoot,
    (index, part, why) => {
      const rule = schema.rules[index]!
      errors.push(invalidValue(`${rulesPath}[${index}].${part}`, rule[part], why))
    },
    appearance,
  )
  for (const { rule, index, program, message, isTransition } of compiled?.rules ?? []) {
    const at = `${rulesPath}[${index}].rule`
    if (isTransition && !position.hasBefore)
      errors.push(invalidValue(at, rule.rule, 'oldSelf cannot be used below a list whose items cannot be told apart'))
    // Without a limit above, as many as a request can hold.
    const count = position.count ?? Math.floor(maxRequestBytes / (compiled!.appearance.minBytes + 1))
    const cost = program.maxCost * count
    observe(total, at, cost)
    if (cost > maxRuleCost) errors.push(forbiddenField(at, tooCostly('estimated rule cost', cost, maxRuleCost)))
    if (!message) continue
    const messageAt = `${rulesPath}[${index}].messageExpression`
    observe(total, messageAt, message.maxCost)
    if (message.maxCost > maxRuleCost)
      errors.push(
        forbiddenField(messageAt, tooCostly('estimated messageExpression cost', message.maxCost, maxRuleCost)),
      )
  }
  const inside = (child: SchemaNode, step: string, more: Partial<Position> & { appearance: Appearance | undefined }) =>
    visit(
      child,
      `${path}.${step}`,
      { count: position.count, hasBefore: position.hasBefore, ...more, isRoot: false },
      keyword,
      errors,
      total,
    )
  for (const [name, field] of schema.properties)
    inside(field, `properties[${name}]`, { appearance: appearance?.fields?.get(escapedName(name) ?? '') })
  const items = itemSchema(schema)
  if (items)
    inside(items, 'items', {
      count: times(position.count, schema.maxItems),
      hasBefore: position.hasBefore && schema.listType === 'map',
      appearance: appearance?.items,
    })
  const values = valueSchema(schema)
  if (values)
    inside(values, 'additionalProperties', {
      count: times(position.count, schema.maxProperties),
      appearance: appearance?.items,
    })
}

const times = (count: number | undefined, limit: number | undefined): number | undefined =>
  count === undefined || limit === undefined ? undefined : count * Math.max(0, limit)

/** Names the factor by which a cost is too high. */
export function tooCostly(what: string, cost: number, limit: number): string {
  const factor = cost / limit
  const shown = factor > 100 ? 'more than 100x' : factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`
  return `${what} exceeds budget by factor of ${shown}: simplify the rule, or set maxItems, maxProperties and maxLength where arrays, maps and strings are declared`
}

function validateText({ rule = '', message = '' }: SchemaRule, path: string): FieldError[] {
  if (rule.trim() === '') return [requiredValue(`${path}.rule`, 'rule is not specified')]
  if (message !== '' && message.trim() === '') return [invalidValue(`${path}.message`, message, 'must not be blank')]
  if (/[\r\n]/.test(message.trim())) return [invalidValue(`${path}.message`, message, 'must not contain line breaks')]
  if (/[\r\n]/.test(rule.trim()) && message.trim() === '')
    return [requiredValue(`${path}.message`, 'must be specified if the rule contains line breaks')]
  return []
}

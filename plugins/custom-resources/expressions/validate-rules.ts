import { addAll, ExpressionError, type FieldError, forbiddenField, invalidValue, requiredValue } from 'orch/sdk'
import type { SchemaKeywords } from '../names.js'
import { itemSchema, type SchemaNode, type SchemaRule, valueSchema } from '../schemas/schema-node.js'
import { compileExpression, type Program } from './program.js'
import { appearanceOf, maxEntriesOf, maxItemsOf, type ToValue } from './schema-types.js'

/** Limits of the estimated cost: of one rule for all values in an object, and of all rules of a schema. */
export const maxRuleCost = 10_000_000
export const maxSchemaCost = 100_000_000

/** A compiled rule. */
export interface CompiledRule {
  readonly rule: SchemaRule
  readonly program: Program
  /** Whether it uses `oldSelf`, and therefore applies only to updates. */
  readonly isTransition: boolean
}
export interface SchemaRules {
  readonly rules: readonly CompiledRule[]
  readonly toValue: ToValue
}

/** Compiles the rules of one schema. `report` is called for each that does not compile. */
export function compileRules(
  schema: SchemaNode,
  isRoot: boolean,
  report?: (index: number, why: string) => void,
): SchemaRules | undefined {
  const compiling = compileRuleByRule(schema, isRoot, report)
  for (;;) {
    const { done, value } = compiling.next()
    if (done) return value
  }
}

/** The same, stopping after every rule: there may be thousands, and each takes a good part of a millisecond. */
export function* compileRuleByRule(
  schema: SchemaNode,
  isRoot: boolean,
  report: (index: number, why: string) => void = () => {},
): Generator<void, SchemaRules | undefined> {
  if (schema.rules.length === 0) return undefined
  const appearance = appearanceOf(schema, isRoot)
  const rules: CompiledRule[] = []
  for (const [index, rule] of schema.rules.entries()) {
    if ((rule.rule ?? '').trim() === '') continue
    if (!appearance) {
      report(index, 'rules are not possible for values of this schema')
      continue
    }
    try {
      const variables = new Map([
        ['self', appearance.type],
        ['oldSelf', appearance.type],
      ])
      const program = compileExpression(rule.rule, variables, { results: ['bool'], checksLiterals: false })
      rules.push({ rule, program, isTransition: program.uses('oldSelf') })
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error
      report(index, `compilation failed: ${error.message}`)
    }
    yield
  }
  return { rules, toValue: appearance?.toValue ?? (json => json) }
}

interface Position {
  readonly isRoot: boolean
  /** The maximum number of values of this schema in one object. */
  readonly count: number
  /** Whether the old value can be identified. That of an item can be only in a list of type map. */
  readonly hasBefore: boolean
}

/** Validates the rules of a schema and their estimated cost. */
export function validateRules(schema: SchemaNode, path: string, keywords: SchemaKeywords): FieldError[] {
  const errors: FieldError[] = []
  const total = { cost: 0 }
  visit(schema, path, { isRoot: true, count: 1, hasBefore: true }, keywords.validations, errors, total)
  if (total.cost > maxSchemaCost)
    errors.push(
      forbiddenField(
        path,
        `the estimated cost of all rules exceeds the budget by a factor of ${factor(total.cost, maxSchemaCost)}: set maxItems, maxProperties and maxLength where you can`,
      ),
    )
  return errors
}

function visit(
  schema: SchemaNode,
  path: string,
  position: Position,
  keyword: string,
  errors: FieldError[],
  total: { cost: number },
): void {
  for (const [i, rule] of schema.rules.entries()) addAll(errors, validateText(rule, `${path}.${keyword}[${i}]`))
  const rulesPath = (index: number) => `${path}.${keyword}[${index}].rule`
  const compiled = compileRules(schema, position.isRoot, (index, why) =>
    errors.push(invalidValue(rulesPath(index), schema.rules[index]!.rule, why)),
  )
  const indexes = new Map(schema.rules.map((rule, index) => [rule, index]))
  for (const { rule, program, isTransition } of compiled?.rules ?? []) {
    const at = rulesPath(indexes.get(rule)!)
    if (isTransition && !position.hasBefore)
      errors.push(invalidValue(at, rule.rule, 'oldSelf cannot be used below a list whose items cannot be told apart'))
    const cost = program.maxCost * position.count
    total.cost += cost
    if (cost > maxRuleCost)
      errors.push(
        forbiddenField(
          at,
          `the estimated cost exceeds the budget by a factor of ${factor(cost, maxRuleCost)}: simplify the rule, or set maxItems, maxProperties and maxLength where you can`,
        ),
      )
  }
  const inside = (
    child: SchemaNode | undefined,
    step: string,
    count = position.count,
    hasBefore = position.hasBefore,
  ) => {
    if (child) visit(child, `${path}.${step}`, { isRoot: false, count, hasBefore }, keyword, errors, total)
  }
  for (const [name, field] of schema.properties) inside(field, `properties[${name}]`)
  const items = itemSchema(schema)
  if (items)
    inside(items, 'items', position.count * maxItemsOf(schema, items), position.hasBefore && schema.listType === 'map')
  const values = valueSchema(schema)
  if (values) inside(values, 'additionalProperties', position.count * maxEntriesOf(schema, values))
}

const factor = (cost: number, limit: number) => (cost / limit).toFixed(1)

function validateText({ rule = '', message = '' }: SchemaRule, path: string): FieldError[] {
  if (rule.trim() === '') return [requiredValue(`${path}.rule`, 'rule is not specified')]
  if (message !== '' && message.trim() === '') return [invalidValue(`${path}.message`, message, 'must not be blank')]
  if (/[\r\n]/.test(message.trim())) return [invalidValue(`${path}.message`, message, 'must not contain line breaks')]
  if (/[\r\n]/.test(rule.trim()) && message.trim() === '')
    return [requiredValue(`${path}.message`, 'must be specified if the rule contains line breaks')]
  return []
}

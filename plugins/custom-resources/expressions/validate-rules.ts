import { addAll, ExpressionError, type FieldError, forbiddenField, invalidValue, requiredValue } from 'orch/sdk'
import type { SchemaKeywords } from '../names.js'
import { itemSchema, type SchemaNode, type SchemaRule, valueSchema } from '../schemas/schema-node.js'
import { compileExpression, type Program } from './program.js'
import { appearanceOf, maxEntriesOf, maxItemsOf, type ToValue } from './schema-types.js'

/** The most that one rule may cost, wherever it applies, and that all rules of a schema may. */
export const maxRuleCost = 10_000_000
export const maxSchemaCost = 100_000_000

/** The rules of one schema, compiled. */
export interface CompiledRule {
  readonly rule: SchemaRule
  readonly program: Program
  /** Compares with the value before: asked only where there is one. */
  readonly isTransition: boolean
}
export interface SchemaRules {
  readonly rules: readonly CompiledRule[]
  readonly toValue: ToValue
}

/** Compiles the rules of one schema; `tell` hears of each that does not compile. */
export function compileRules(
  schema: SchemaNode,
  isRoot: boolean,
  tell: (index: number, why: string) => void = () => {},
): SchemaRules | undefined {
  if (schema.rules.length === 0) return undefined
  const appearance = appearanceOf(schema, isRoot)
  const rules: CompiledRule[] = []
  for (const [index, rule] of schema.rules.entries()) {
    if ((rule.rule ?? '').trim() === '') continue
    if (!appearance) {
      tell(index, 'rules are not possible for values of this schema')
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
      tell(index, `compilation failed: ${error.message}`)
    }
  }
  return { rules, toValue: appearance?.toValue ?? (json => json) }
}

interface Place {
  readonly isRoot: boolean
  /** How many values of this schema one object can have. */
  readonly count: number
  /** Can the value before be told? Not that of an item of a list that is no map. */
  readonly hasBefore: boolean
}

/** Are the rules of a schema expressions that mean something, and cheap enough? */
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
  place: Place,
  keyword: string,
  errors: FieldError[],
  total: { cost: number },
): void {
  for (const [i, rule] of schema.rules.entries()) addAll(errors, validateText(rule, `${path}.${keyword}[${i}]`))
  const rulesPath = (index: number) => `${path}.${keyword}[${index}].rule`
  const compiled = compileRules(schema, place.isRoot, (index, why) =>
    errors.push(invalidValue(rulesPath(index), schema.rules[index]!.rule, why)),
  )
  for (const { rule, program, isTransition } of compiled?.rules ?? []) {
    const at = rulesPath(schema.rules.indexOf(rule))
    if (isTransition && !place.hasBefore)
      errors.push(invalidValue(at, rule.rule, 'oldSelf cannot be used below a list whose items cannot be told apart'))
    const cost = program.maxCost * place.count
    total.cost += cost
    if (cost > maxRuleCost)
      errors.push(
        forbiddenField(
          at,
          `the estimated cost exceeds the budget by a factor of ${factor(cost, maxRuleCost)}: simplify the rule, or set maxItems, maxProperties and maxLength where you can`,
        ),
      )
  }
  const inside = (child: SchemaNode | undefined, step: string, count = place.count, hasBefore = place.hasBefore) => {
    if (child) visit(child, `${path}.${step}`, { isRoot: false, count, hasBefore }, keyword, errors, total)
  }
  for (const [name, field] of schema.properties) inside(field, `properties[${name}]`)
  const items = itemSchema(schema)
  if (items)
    inside(items, 'items', place.count * maxItemsOf(schema, items), place.hasBefore && schema.listType === 'map')
  const values = valueSchema(schema)
  if (values) inside(values, 'additionalProperties', place.count * maxEntriesOf(schema, values))
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

import { addAll, type FieldError, forbiddenField, invalidValue } from 'orch/sdk'
import { itemSchema, type SchemaNode, type SchemaRule, valueSchema } from '../../../libs/json-schema/index.js'
import { type Appearance, escapedName, maxRequestBytes } from '../../../libs/schema-cel/index.js'
import type { SchemaKeywords } from '../names.js'
import type { Steps } from '../schemas/turns.js'
import { appearanceOfRules, type CompiledRule, compileRuleByRule } from './compile-rules.js'
import type { RuleLanguage } from './language.js'
import { logicalParts, validateRuleTexts, validateText } from './validate-rule-texts.js'

/** Limits of the estimated cost: of one rule for all values in an object, and of all rules of a schema. */
export const maxRuleCost = 10_000_000
export const maxSchemaCost = 100_000_000

interface Position {
  readonly isRoot: boolean
  /** The maximum number of values of this schema in one object; undefined if a list or map above it has no limit. */
  readonly count: number | undefined
  /** Whether the old value can be identified. That of an item can be only in a list of type map. */
  readonly hasBefore: boolean
  /** How the values appear, if a schema above has rules: saves deriving it again. */
  readonly appearance: Appearance | undefined
}

/** The cost of all rules of a schema. */
interface Total {
  cost: number
  /** The most expensive rules. */
  readonly most: { readonly path: string; readonly cost: number }[]
}
const maxNamed = 4

/** How the rules of a schema are validated. */
export interface RuleValidation {
  readonly keywords: SchemaKeywords
  readonly language: RuleLanguage
  /**
   * Other errors of the schema. If given, rules are compiled only if their schema and those inside it are valid: errors
   * that follow from an invalid schema would not help its author.
   */
  readonly otherErrors?: readonly FieldError[]
  /** Whether the cost of a single rule is ignored, because the schema was accepted with it. */
  readonly ignoresRuleCost?: boolean
}

/** Validates the rules of a schema and their estimated cost. */
export function* validateRules(schema: SchemaNode, path: string, validation: RuleValidation): Steps<FieldError[]> {
  const ofTexts: FieldError[] = []
  const errors: FieldError[] = []
  const total: Total = { cost: 0, most: [] }
  const wrong = validation.otherErrors && new WrongSchemas(validation.otherErrors)
  const visitor = new RuleVisitor(validation, wrong, ofTexts, errors, total)
  yield* visitor.visit(schema, path, { isRoot: true, count: 1, hasBefore: true, appearance: undefined })
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
  return [...ofTexts, ...errors]
}

function observe(total: Total, path: string, cost: number): void {
  total.cost += cost
  if (cost < maxSchemaCost / 100) return
  total.most.push({ path, cost })
  total.most.sort((one, other) => other.cost - one.cost)
  total.most.length = Math.min(total.most.length, maxNamed)
}

/** Schemas that have an error, or one inside that has. */
class WrongSchemas {
  readonly #paths = new Set<string>()

  constructor(errors: readonly FieldError[]) {
    for (const { field } of errors) this.add(field)
  }
  /** Every part of a path up to a dot may be a schema; a dot inside a name does no harm. */
  add(field: string): void {
    this.#paths.add(field)
    for (let dot = field.lastIndexOf('.'); dot > 0; dot = field.lastIndexOf('.', dot - 1)) {
      const above = field.slice(0, dot)
      if (this.#paths.has(above)) return
      this.#paths.add(above)
    }
  }
  has(path: string): boolean {
    return this.#paths.has(path)
  }
}

class RuleVisitor {
  readonly #validation: RuleValidation
  readonly #wrong: WrongSchemas | undefined
  readonly #ofTexts: FieldError[]
  readonly #errors: FieldError[]
  readonly #total: Total

  constructor(
    validation: RuleValidation,
    wrong: WrongSchemas | undefined,
    ofTexts: FieldError[],
    errors: FieldError[],
    total: Total,
  ) {
    this.#validation = validation
    this.#wrong = wrong
    this.#ofTexts = ofTexts
    this.#errors = errors
    this.#total = total
  }

  *visit(schema: SchemaNode, path: string, position: Position): Steps<void> {
    const appearance =
      position.appearance ??
      (schema.rules.length > 0 ? appearanceOfRules(schema, position.isRoot, this.#validation.language) : undefined)
    const count = times(position.count, mostParts(schema))
    const inside = (
      child: SchemaNode,
      step: string,
      more: Partial<Position> & { appearance: Appearance | undefined },
    ) =>
      this.visit(child, `${path}.${step}`, {
        count,
        hasBefore: position.hasBefore,
        ...more,
        isRoot: false,
      })
    for (const [name, field] of schema.properties)
      yield* inside(field, `properties[${name}]`, { appearance: appearance?.fields?.get(escapedName(name) ?? '') })
    const items = itemSchema(schema)
    if (items)
      yield* inside(items, 'items', {
        hasBefore: position.hasBefore && schema.listType === 'map',
        appearance: appearance?.items,
      })
    const values = valueSchema(schema)
    if (values)
      yield* inside(values, 'additionalProperties', {
        appearance: appearance?.items,
      })
    for (const [part, step] of logicalParts(schema))
      addAll(this.#ofTexts, validateRuleTexts(part, `${path}.${step}`, this.#validation.keywords))
    if (schema.rules.length > 0) yield* this.#visitRules(schema, path, position, appearance)
  }

  *#visitRules(schema: SchemaNode, path: string, position: Position, appearance: Appearance | undefined): Steps<void> {
    const rulesPath = `${path}.${this.#validation.keywords.validations}`
    for (const [i, rule] of schema.rules.entries())
      for (const error of validateText(rule, `${rulesPath}[${i}]`, schema)) {
        this.#ofTexts.push(error)
        this.#wrong?.add(error.field)
      }
    if (this.#wrong?.has(path)) return
    const failed = new Set<number>()
    const compiled = yield* compileRuleByRule(
      schema,
      position.isRoot,
      this.#validation.language,
      (index, part, why) => {
        if (index === undefined) {
          this.#errors.push({ type: 'InternalError', field: rulesPath, detail: why })
          return
        }
        if (part === 'rule') failed.add(index)
        this.#errors.push(invalidValue(`${rulesPath}[${index}].${part}`, schema.rules[index]![part], why))
      },
      appearance,
    )
    for (const index of failed) this.#rejectOptional(schema.rules[index]!, `${rulesPath}[${index}]`)
    for (const rule of compiled?.rules ?? [])
      this.#checkRule(rule, `${rulesPath}[${rule.index}]`, position, compiled!.appearance)
  }

  #checkRule(
    { rule, program, message, isTransition }: CompiledRule,
    path: string,
    position: Position,
    self: Appearance,
  ) {
    const errors = this.#errors
    const at = `${path}.rule`
    if (!isTransition) this.#rejectOptional(rule, path)
    else if (!position.hasBefore)
      errors.push(invalidValue(at, rule.rule, 'oldSelf cannot be used below a list whose items cannot be identified'))
    // Without a limit, as many as fit into a request.
    const count = position.count ?? Math.floor(maxRequestBytes / (self.minBytes + 1))
    const cost = program.maxCost * count
    observe(this.#total, at, cost)
    if (cost > maxRuleCost && !this.#validation.ignoresRuleCost)
      errors.push(forbiddenField(at, tooCostly('estimated rule cost', cost, maxRuleCost)))
    if (!message) return
    const messageAt = `${path}.messageExpression`
    observe(this.#total, messageAt, message.maxCost)
    if (message.maxCost > maxRuleCost && !this.#validation.ignoresRuleCost)
      errors.push(
        forbiddenField(messageAt, tooCostly('estimated messageExpression cost', message.maxCost, maxRuleCost)),
      )
  }

  #rejectOptional({ optionalOldSelf }: SchemaRule, path: string): void {
    if (optionalOldSelf !== undefined)
      this.#errors.push(
        invalidValue(`${path}.optionalOldSelf`, optionalOldSelf, 'must not be set if the rule does not use oldSelf'),
      )
  }
}

/** How many values each part of a schema has at most; undefined without a limit. What the schema says of other types does not count. */
function mostParts({ type, maxItems, maxProperties, additionalProperties }: SchemaNode): number | undefined {
  if (type === 'array') return maxItems
  return type === 'object' && additionalProperties !== undefined ? maxProperties : 1
}

const times = (count: number | undefined, limit: number | undefined): number | undefined =>
  count === undefined || limit === undefined ? undefined : count * Math.max(0, limit)

/** Names the factor by which a cost is too high. */
export function tooCostly(what: string, cost: number, limit: number): string {
  const factor = cost / limit
  const shown = factor > 100 ? 'more than 100x' : factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`
  return `${what} exceeds budget by factor of ${shown}: simplify the rule, or set maxItems, maxProperties and maxLength where arrays, maps and strings are declared`
}

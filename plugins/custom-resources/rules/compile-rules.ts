import { CelError, Optional, optionalType, type Program } from '../../../libs/cel/index.js'
import type { SchemaNode, SchemaRule } from '../../../libs/json-schema/index.js'
import type { ToValue } from '../../../libs/schema-cel/index.js'
import { type Appearance, appearanceOf, compileExpression, sizeAt } from '../../../libs/schema-cel/index.js'
import { findField } from '../schemas/field-path.js'
import { finish, type Steps } from '../schemas/turns.js'
import type { RuleLanguage } from './language.js'

/** A compiled rule. */
export interface CompiledRule {
  readonly rule: SchemaRule
  readonly index: number
  readonly program: Program
  /** Makes the message if the rule does not hold. */
  readonly message: Program | undefined
  /** Whether it uses `oldSelf`, and therefore applies only to updates, unless `oldSelf` is optional. */
  readonly isTransition: boolean
  /** The field that an error is about, relative to the value; empty for the value itself. */
  readonly fieldPath: string
}
export interface SchemaRules {
  readonly rules: readonly CompiledRule[]
  /** Why its other rules do not compile. */
  readonly failures: readonly string[]
  readonly appearance: Appearance
  readonly toValue: ToValue
}
/** Called for each rule that does not compile, or without an index if none can. */
type Report = (index: number | undefined, part: 'rule' | 'messageExpression', why: string) => void

/** Compiles the rules of one schema. */
export const compileRules = (
  schema: SchemaNode,
  isRoot: boolean,
  language: RuleLanguage,
  report?: Report,
  appearance?: Appearance,
): SchemaRules | undefined => finish(compileRuleByRule(schema, isRoot, language, report, appearance))

/** The same, yielding after every rule: there may be thousands, and each takes a good part of a millisecond. */
export function* compileRuleByRule(
  schema: SchemaNode,
  isRoot: boolean,
  language: RuleLanguage,
  report: Report = () => {},
  known?: Appearance,
): Steps<SchemaRules | undefined> {
  if (schema.rules.length === 0) return undefined
  const appearance = known ?? appearanceOfRules(schema, isRoot, language)
  if (!appearance) {
    const why = 'rules are not possible for values of this schema'
    if (language.hidesUntyped) report(undefined, 'rule', why)
    else for (const index of schema.rules.keys()) report(index, 'rule', why)
    return undefined
  }
  const rules: CompiledRule[] = []
  const failures: string[] = []
  for (const [index, rule] of schema.rules.entries()) {
    if ((rule.rule ?? '').trim() === '') continue
    const fail = (part: 'rule' | 'messageExpression', why: string) => {
      if (part === 'rule') failures.push(why)
      report(index, part, why)
    }
    const compile = (text: string, part: 'rule' | 'messageExpression', type: 'bool' | 'string') => {
      const isNew = !language.stored.has(text)
      try {
        const program = compileExpression(text, {
          variables: new Map([
            ['self', appearance.type],
            ['oldSelf', rule.optionalOldSelf ? optionalType(appearance.type) : appearance.type],
          ]),
          sizeAt: path => sizeAt(appearance, path),
          checksLiterals: language.checksLiterals,
          estimates: language.estimates,
          ...(isNew && language.minor !== undefined ? { minor: language.minor } : {}),
        })
        if (program.type.kind === type) return program
        const name = part === 'rule' ? 'cel expression' : part
        fail(part, `${name} must evaluate to a ${type}`)
      } catch (error) {
        if (!(error instanceof CelError)) throw error
        fail(part, `${part === 'rule' ? '' : 'messageExpression '}compilation failed: ${error.message}`)
      }
      return undefined
    }
    const program = compile(rule.rule, 'rule', 'bool')
    yield
    if (!program) continue
    const message = rule.messageExpression ? compile(rule.messageExpression, 'messageExpression', 'string') : undefined
    const field = rule.fieldPath ? findField(rule.fieldPath, schema) : undefined
    const fieldPath = typeof field === 'object' ? field.path : ''
    rules.push({ rule, index, program, message, isTransition: program.uses('oldSelf'), fieldPath })
    yield
  }
  return { rules, failures, appearance, toValue: appearance.toValue }
}

/** How the values appear in their rules. */
export const appearanceOfRules = (schema: SchemaNode, isRoot: boolean, { hidesUntyped, estimates }: RuleLanguage) =>
  appearanceOf(schema, isRoot || schema.embeddedResource, {
    values: hidesUntyped ? 'typed' : 'escaped',
    knowsEnums: estimates.enumSizes,
  })

/** The old value of a rule that takes it as an optional value. */
export const optionalOld = (value: unknown, toValue: ToValue): Optional =>
  value === undefined || value === null ? Optional.none : Optional.of(toValue(value))

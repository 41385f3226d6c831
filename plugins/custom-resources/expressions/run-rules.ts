import { setImmediate } from 'node:timers/promises'
import { type FieldError, invalidValue } from 'orch/sdk'
import type { SchemaNode } from '../schemas/schema-node.js'
import { compileVisitor, type Visit } from '../schemas/visit.js'
import { Meter } from './meter.js'
import { compileRuleByRule, compileRules, type SchemaRules } from './validate-rules.js'

/** Limits of the actual cost: of one rule for one value, and of all rules for one object. */
const maxCallCost = 1_000_000
const maxObjectCost = 10_000_000
/** The field of errors at the root of an object. */
const noField = '<nil>'

/** Checks an object against the rules of its schema. `before` is the stored object on updates. */
export type RunRules = (object: unknown, before: unknown) => FieldError[]

/** Compiles the rules of a schema; undefined if it has none. */
export function compileRunRules(schema: SchemaNode): RunRules | undefined {
  return runnerOf(schema, undefined, compileRules)
}

/** The same in turns of the event loop. `marked` are the sources of the schemas that have rules, at any depth. */
export async function compileRunRulesInTurns(
  schema: SchemaNode,
  marked: ReadonlySet<unknown>,
): Promise<RunRules | undefined> {
  const compiled = new Map<SchemaNode, SchemaRules | undefined>()
  const positions: { schema: SchemaNode; isRoot: boolean }[] = []
  const run = runnerOf(schema, marked, (each, isRoot) => {
    positions.push({ schema: each, isRoot })
    return () => compiled.get(each)
  })
  let startedAt = performance.now()
  for (const { schema: each, isRoot } of positions) {
    const compiling = compileRuleByRule(each, isRoot)
    for (let step = compiling.next(); ; step = compiling.next()) {
      if (step.done) compiled.set(each, step.value)
      if (performance.now() - startedAt > turnMs) {
        await setImmediate()
        startedAt = performance.now()
      }
      if (step.done) break
    }
  }
  return run
}
/** How long rules are compiled before others have their turn. */
const turnMs = 10

type RulesOf = (schema: SchemaNode, isRoot: boolean) => SchemaRules | undefined | (() => SchemaRules | undefined)

function runnerOf(
  schema: SchemaNode,
  marked: ReadonlySet<unknown> | undefined,
  rulesOfSchema: RulesOf,
): RunRules | undefined {
  let remaining = { left: maxObjectCost }
  const visit = compileVisitor(
    schema,
    (each, isRoot) => rulesOf(each, isRoot, () => remaining, rulesOfSchema),
    true,
    marked,
  )
  if (!visit) return undefined
  return (object, before) => {
    remaining = { left: maxObjectCost }
    const errors: FieldError[] = []
    visit(object, '', errors, before)
    return errors
  }
}

function rulesOf(
  schema: SchemaNode,
  isRoot: boolean,
  remaining: () => { left: number },
  rulesOfSchema: RulesOf,
): Visit | undefined {
  if (schema.rules.length === 0) return undefined
  const known = rulesOfSchema(schema, isRoot)
  if (!known) return undefined
  return (value, path, errors, before) => {
    if (value === null || value === undefined) return
    const compiled = typeof known === 'function' ? known() : known
    if (!compiled) return
    const { rules, toValue } = compiled
    const field = path === '' ? noField : path
    const shown = typeof value === 'object' ? (Array.isArray(value) ? 'array' : 'object') : value
    let self: unknown
    let oldSelf: unknown
    for (const { rule, program, isTransition } of rules) {
      if (isTransition && (before === undefined || before === null)) continue
      const budget = remaining()
      const limit = Math.min(maxCallCost, budget.left)
      if (limit <= 0) {
        errors.push(
          invalidValue(field, shown, 'the rules of this object cost too much to check: no further rule was run'),
        )
        return
      }
      self ??= toValue(value)
      if (isTransition) oldSelf ??= toValue(before)
      const meter = new Meter(limit)
      const outcome = program.run({ self, oldSelf: oldSelf ?? null }, meter)
      budget.left -= limit - Math.max(0, meter.left)
      if ('error' in outcome)
        errors.push(invalidValue(field, shown, `rule evaluation error: ${outcome.error}: ${rule.rule}`))
      else if (outcome.value !== true)
        errors.push(invalidValue(field, shown, rule.message?.trim() || `failed rule: ${rule.rule}`))
    }
  }
}

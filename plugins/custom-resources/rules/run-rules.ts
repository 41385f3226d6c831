import { setImmediate } from 'node:timers/promises'
import { duplicate, type FieldError, forbiddenField, invalidValue, isRecord, ownValue, requiredValue } from 'orch/sdk'
import { describeFieldErrors } from 'orch/sdk/validation'
import { Work } from '../../../libs/cel/index.js'
import { itemSchema, LazyNodes, type SchemaNode, valueSchema } from '../../../libs/json-schema/index.js'
import { maxCallCost } from '../../../libs/schema-cel/index.js'
import type { Correlation } from '../schemas/correlation.js'
import { type Steps, turnMs } from '../schemas/turns.js'
import { itemKey } from '../schemas/visit.js'
import { type CompiledRule, compileRuleByRule, compileRules, optionalOld, type SchemaRules } from './compile-rules.js'
import type { RuleLanguage } from './language.js'

/** The limit of the actual cost of all rules for one object. */
const maxObjectCost = 10_000_000
/** Limits the work of all rules when they run without yielding. */
const maxStepsAtOnce = 6_000_000
const maxStepsOfCall = 4_000_000
/** The field of errors at the root of an object. */
const noField = '<nil>'

/** An updated object whose values may stay invalid where they did not change. */
export interface Ratchet {
  readonly correlation: Correlation
  /** Called with the errors that are tolerated. */
  readonly warn: (text: string) => void
}

/** Checks an object against the rules of its schema. `before` is the stored object on updates. */
export interface RunRules {
  /** Yields to other requests. Returns a promise only if it takes more than one turn of the event loop. */
  (object: unknown, before: unknown, ratchet?: Ratchet): FieldError[] | Promise<FieldError[]>
  /** Without yielding, with a lower limit of work. `path` is that of the value, if it is not a whole object. */
  atOnce(object: unknown, before: unknown, path?: string): FieldError[]
}

/** Compiles the rules of a schema, of a whole object by default; undefined if it has none. */
export function compileRunRules(schema: SchemaNode, language: RuleLanguage, isRoot = true): RunRules | undefined {
  return runnerOf(compileVisit(schema, isRoot, (each, isWhole) => compileRules(each, isWhole, language)))
}

/**
 * The same, but the rules of each schema are compiled when the first object has a value there: many objects use a small
 * part of a large schema. `marked` are the sources of the schemas that have rules, at any depth.
 */
export function compileRunRulesLazily(
  schema: SchemaNode,
  language: RuleLanguage,
  marked: ReadonlySet<unknown>,
): RunRules | undefined {
  const lazyRules = (each: SchemaNode, isRoot: boolean) =>
    new LazyRules(() => compileRuleByRule(each, isRoot, language))
  return runnerOf(compileVisit(schema, true, lazyRules, marked))
}

/** The rules of a schema, compiled when they are first used. */
class LazyRules {
  readonly #compile: () => Steps<SchemaRules | undefined>
  isReady = false
  rules: SchemaRules | undefined

  constructor(compile: () => Steps<SchemaRules | undefined>) {
    this.#compile = compile
  }
  *get(): Generator<Pause, SchemaRules | undefined> {
    const compiling = this.#compile()
    let step = compiling.next()
    for (; !step.done; step = compiling.next()) yield pause
    this.rules = step.value
    this.isReady = true
    return this.rules
  }
}

function runnerOf(visit: VisitTasks | undefined): RunRules | undefined {
  if (!visit) return undefined
  const run = (object: unknown, before: unknown, ratchet?: Ratchet) => {
    const state = new RunState(Number.POSITIVE_INFINITY, ratchet?.warn)
    const tasks = visit(object, '', before, { current: ratchet?.correlation, above: undefined })
    return runTurn(tasks, state) ? state.errors : runTurns(tasks, state)
  }
  const atOnce = (object: unknown, before: unknown, path = '') => {
    const state = new RunState(maxStepsAtOnce)
    for (const task of visit(object, path, before, uncorrelated)) if (task !== pause && !runTask(task, state)) break
    return state.errors
  }
  return Object.assign(run, { atOnce })
}

/** The correlated value, and the last correlated one above it. */
interface Ancestry {
  readonly current: Correlation | undefined
  readonly above: Correlation | undefined
}
const uncorrelated: Ancestry = { current: undefined, above: undefined }

function fieldIn(ancestry: Ancestry, name: string): Ancestry {
  const { current, above } = ancestry
  if (!current) return ancestry
  // Both objects have been converted to the same kind and version, which therefore do not show what was stored.
  if (!above && (name === 'apiVersion' || name === 'kind')) return uncorrelated
  return { current: current.key(name), above: current }
}
function itemIn(ancestry: Ancestry, index: number): Ancestry {
  const { current } = ancestry
  return current ? { current: current.index(index), above: current } : ancestry
}

/** Runs rules until all are done (true), or the time of this turn is up (false). */
function runTurn(tasks: Iterator<Task | Pause>, state: RunState): boolean {
  const until = performance.now() + turnMs
  for (let count = 0; ; count++) {
    const { done, value } = tasks.next()
    if (done || (value !== pause && !runTask(value, state))) return true
    if ((count % 16 === 0 || value === pause) && performance.now() > until) return false
  }
}
async function runTurns(tasks: Iterator<Task | Pause>, state: RunState): Promise<FieldError[]> {
  do await setImmediate()
  while (!runTurn(tasks, state))
  return state.errors
}

/** The remaining budget of the rules of one object, and their errors. */
class RunState {
  readonly errors: FieldError[] = []
  left = maxObjectCost
  steps: number
  /** Undefined unless unchanged values may stay invalid. */
  readonly warn: ((text: string) => void) | undefined
  constructor(steps: number, warn?: (text: string) => void) {
    this.steps = steps
    this.warn = warn
  }
}

/** The rules of one schema for one value. */
interface Task {
  readonly rules: SchemaRules
  readonly value: unknown
  readonly path: string
  readonly before: unknown
  readonly ancestry: Ancestry
}
/** Yielded instead of a task after a rule was compiled, so that the turn may end. */
const pause = 'pause'
type Pause = typeof pause
type RulesOf = (schema: SchemaNode, isRoot: boolean) => SchemaRules | undefined | LazyRules
type VisitTasks = (value: unknown, path: string, before: unknown, ancestry: Ancestry) => IterableIterator<Task | Pause>

/** Walks a value along its schema, to where the schema has rules. Undefined if it has none. */
function compileVisit(
  schema: SchemaNode,
  isRoot: boolean,
  rulesOf: RulesOf,
  marked?: ReadonlySet<unknown>,
): VisitTasks | undefined {
  const isMarked = (source: unknown) => !marked || marked.has(source)
  if (!isMarked(schema.source)) return undefined
  const known = schema.rules.length > 0 ? rulesOf(schema, isRoot) : undefined
  const items = itemSchema(schema)
  const inItems = items && compileVisit(items, false, rulesOf, marked)
  const values = valueSchema(schema)
  const inValues = values && compileVisit(values, false, rulesOf, marked)
  const inFields = [...schema.properties.keys()].flatMap(name => {
    const source = schema.properties instanceof LazyNodes ? schema.properties.sourceOf(name) : undefined
    if (source !== undefined && !isMarked(source)) return []
    const visit = compileVisit(schema.properties.get(name)!, false, rulesOf, marked)
    return visit ? [{ name, visit }] : []
  })
  if (!known && !inItems && !inValues && inFields.length === 0) return undefined
  return function* visit(value, path, before, ancestry) {
    if (value === null || value === undefined) return
    const rules = !(known instanceof LazyRules) ? known : known.isReady ? known.rules : yield* known.get()
    if (rules) yield { rules, value, path, before, ancestry }
    if (Array.isArray(value)) {
      if (!inItems) return
      const find = itemsBefore(schema, before)
      for (const [index, item] of value.entries())
        yield* inItems(item, `${path}[${index}]`, find(item), itemIn(ancestry, index))
      return
    }
    if (!isRecord(value)) return
    const old = isRecord(before) ? before : undefined
    for (const { name, visit: inField } of inFields)
      if (Object.hasOwn(value, name))
        yield* inField(
          value[name],
          path === '' ? name : `${path}.${name}`,
          ownValue(old, name),
          fieldIn(ancestry, name),
        )
    if (!inValues) return
    for (const name of Object.keys(value))
      if (!schema.properties.has(name))
        yield* inValues(value[name], `${path}[${name}]`, ownValue(old, name), fieldIn(ancestry, name))
  }
}

/** Finds the old version of an item. Only items of a list of type map can be identified. */
function itemsBefore({ listType, listMapKeys }: SchemaNode, before: unknown): (item: unknown) => unknown {
  if (listType !== 'map' || !Array.isArray(before)) return () => undefined
  const known = new Map(before.map(item => [itemKey(item, listMapKeys), item]))
  return item => known.get(itemKey(item, listMapKeys))
}

/** Returns false if the budget is exhausted. */
function runTask(
  { rules: { rules, failures, toValue }, value, path, before, ancestry }: Task,
  state: RunState,
): boolean {
  const field = path === '' ? noField : path
  const shown = typeof value === 'object' ? (Array.isArray(value) ? 'array' : 'object') : value
  for (const why of failures) state.errors.push(invalidValue(field, shown, `rule compile error: ${why}`))
  const hasBefore = before !== undefined && before !== null
  let self: unknown
  let oldSelf: unknown
  for (const compiled of rules) {
    const { rule, isTransition } = compiled
    const isOptional = rule.optionalOldSelf === true
    if (isTransition && !isOptional && !hasBefore) continue
    if (state.left <= 0 || state.steps <= 0) {
      state.errors.push(
        invalidValue(field, shown, 'the rules of this object cost too much to check: no further rule was run'),
      )
      return false
    }
    self ??= toValue(value)
    if (isTransition && !isOptional) oldSelf ??= toValue(before)
    const values = { self, oldSelf: isOptional ? optionalOld(before, toValue) : (oldSelf ?? null) }
    const error = runRule(compiled, values, path, shown, state)
    if (!error) continue
    // A transition rule is about the change itself, so it is not tolerated for an unchanged value.
    const mayStay = !isTransition && 'rule' in error && (ancestry.current ?? ancestry.above)?.isUnchanged()
    if (mayStay && state.warn) state.warn(describeFieldErrors([error.rule]))
    else state.errors.push('rule' in error ? error.rule : error.evaluation)
  }
  return true
}

/** Either the rule does not hold, or it could not be evaluated. */
type RuleFailure = { readonly rule: FieldError } | { readonly evaluation: FieldError }

function runRule(
  { rule, program, message, fieldPath }: CompiledRule,
  values: Readonly<Record<string, unknown>>,
  path: string,
  shown: unknown,
  state: RunState,
): RuleFailure | undefined {
  const spend = <T>(run: (work: Work) => T): T => {
    const limit = Math.min(maxCallCost, state.left)
    const work = new Work({ cost: limit, steps: Math.min(maxStepsOfCall, state.steps) })
    const result = run(work)
    state.left -= limit - work.left
    state.steps -= work.stepsUsed
    return result
  }
  const field = path === '' ? noField : path
  const outcome = spend(work => program.run(values, work))
  if ('value' in outcome && outcome.value === true) return undefined
  if ('error' in outcome)
    return { evaluation: invalidValue(field, shown, `rule evaluation error: ${outcome.error}: ${rule.rule}`) }
  let detail = rule.message?.trim() || `failed rule: ${rule.rule.trim()}`
  if (message) {
    const text = spend(work => message.run(values, work))
    const made = 'value' in text && typeof text.value === 'string' ? text.value.trim() : ''
    // If the expression fails, or its result has line breaks, the static message is used.
    if (made !== '' && Buffer.byteLength(made) <= maxMessageBytes && !made.includes('\n')) detail = made
  }
  const at = fieldPath === '' ? field : path === '' ? fieldPath : `${path}.${fieldPath}`
  return { rule: errorFor(rule.reason, at, shown, detail) }
}
const maxMessageBytes = 5 * 1024

function errorFor(reason: string | undefined, field: string, shown: unknown, detail: string): FieldError {
  switch (reason) {
    case 'FieldValueForbidden':
      return forbiddenField(field, detail)
    case 'FieldValueRequired':
      return requiredValue(field, detail)
    case 'FieldValueDuplicate':
      return duplicate(field, shown)
    default:
      return invalidValue(field, shown, detail)
  }
}

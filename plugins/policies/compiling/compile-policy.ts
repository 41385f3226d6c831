import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  authorizerVariable,
  type Expression,
  ExpressionError,
  type ExpressionResult,
  type Expressions,
} from 'orch/sdk/expressions'
import type { MutationRule, PolicySpec, ValidationRule } from '../policies/schema.js'
import { namespaceSchema, requestSchema } from './variable-schemas.js'

/** A policy whose expressions are ready to be evaluated. */
export interface CompiledPolicy {
  readonly conditions: readonly { readonly text: string; readonly expression: Expression }[]
  readonly validations: readonly CompiledValidation[]
  readonly annotations: readonly { readonly key: string; readonly text: string; readonly expression: Expression }[]
  readonly mutations: readonly { readonly rule: MutationRule; readonly text: string; readonly expression: Expression }[]
  /** Whether any expression uses `namespaceObject`. */
  readonly usesNamespace: boolean
}
export interface CompiledValidation {
  readonly rule: ValidationRule
  readonly expression: Expression
  readonly message: Expression | undefined
}

/** Called for every expression that does not compile, with its field, text and error. */
export type ReportProblem = (field: string, text: string, why: ExpressionError) => void

/** The schemas of the objects that expressions see, where known. Without a schema an object may have any field. */
export interface KnownSchemas {
  readonly object?: Schema
  readonly params?: Schema
}
type Schema = Readonly<Record<string, unknown>>

const anything: Schema = {}
/** A policy may have thousands of expressions: after this time other work gets its turn. */
const longestTurnMs = 5

/** Compiles all expressions of a policy. Those that do not compile are reported and left out of the result. */
export async function compilePolicy(
  spec: PolicySpec,
  expressions: Expressions,
  report: ReportProblem,
  known: KnownSchemas = {},
  isNew: (text: string) => boolean = () => false,
): Promise<CompiledPolicy> {
  const { object = anything, params = anything } = known
  const withoutAuthorizer = {
    object,
    oldObject: object,
    request: requestSchema,
    namespaceObject: namespaceSchema,
    ...(spec.paramKind ? { params } : {}),
  }
  const all = { ...withoutAuthorizer, authorizer: authorizerVariable }
  const variables: Record<string, Expression> = {}
  const used: Expression[] = []
  const composed = { name: 'variables', fields: variables }
  let turnBegan = performance.now()
  const compile = async (
    path: string,
    text: string | undefined,
    result: ExpressionResult | readonly ExpressionResult[] | undefined,
    over: Readonly<Record<string, Schema>> = all,
    hasVariables = true,
  ): Promise<Expression | undefined> => {
    if (!text || text.trim() === '') return undefined
    if (performance.now() - turnBegan > longestTurnMs) {
      await nextTurn()
      turnBegan = performance.now()
    }
    try {
      const compiled = await expressions.compile(text, {
        variables: over,
        // The actual cost is limited in each request; an estimate is impossible without the sizes of objects.
        maxCost: Number.POSITIVE_INFINITY,
        ...(result === undefined ? {} : { result }),
        ...(hasVariables ? { composed } : {}),
        ...(spec.mutations ? { makesChanges: true } : {}),
        isNew: isNew(text),
      })
      used.push(compiled)
      return compiled
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error
      report(path, text, error)
      return undefined
    }
  }
  const conditions = await each(spec.matchConditions, async ({ expression: text }, i) => {
    const expression = await compile(`spec.matchConditions[${i}].expression`, text, 'bool', all, false)
    return expression && { text, expression }
  })
  for (const [i, { name, expression: text }] of (spec.variables ?? []).entries()) {
    const expression = await compile(`spec.variables[${i}].expression`, text, undefined)
    if (expression) variables[name] = expression
  }
  const validations = await each(spec.validations, async (rule, i) => {
    const path = `spec.validations[${i}]`
    const expression = await compile(`${path}.expression`, rule.expression, 'bool')
    const message = await compile(`${path}.messageExpression`, rule.messageExpression, 'string', withoutAuthorizer)
    return expression && { rule, expression, message }
  })
  const annotations = await each(spec.auditAnnotations, async ({ key, valueExpression: text }, i) => {
    const path = `spec.auditAnnotations[${i}].valueExpression`
    const expression = await compile(path, text, ['string', 'null'])
    return expression && { key, text, expression }
  })
  const mutations = await each(spec.mutations, async (rule, i) => {
    const isPatch = rule.patchType === 'JSONPatch'
    // Without a known type, it is unclear which expression counts.
    if (!isPatch && rule.patchType !== 'ApplyConfiguration') return undefined
    const field = isPatch ? 'jsonPatch' : 'applyConfiguration'
    const text = rule[field]?.expression ?? ''
    const path = `spec.mutations[${i}].${field}.expression`
    const expression = await compile(path, text, isPatch ? 'list(JSONPatch)' : 'Object')
    return expression && { rule, text, expression }
  })
  const usesNamespace = used.some(expression => expression.uses('namespaceObject'))
  return { conditions, validations, annotations, mutations, usesNamespace }
}

/** Maps items one after another and leaves out undefined results. */
async function each<T, R>(
  items: readonly T[] | undefined,
  make: (item: T, index: number) => Promise<R | undefined>,
): Promise<R[]> {
  const made: R[] = []
  for (const [index, item] of (items ?? []).entries()) {
    const one = await make(item, index)
    if (one !== undefined) made.push(one)
  }
  return made
}

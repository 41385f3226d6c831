import type { Expression, ExpressionBudget, ExpressionOutcome } from 'orch/sdk/expressions'
import type { CompiledPolicy, CompiledValidation } from '../compiling/compile-policy.js'
import { type PolicyVariables, valuesOf } from './policy-variables.js'

/** Cost limits: of one expression, of all expressions in one evaluation, and of all match conditions together. */
const maxCallCost = 1_000_000
export const maxPolicyCost = 10_000_000
const maxConditionsCost = 2_500_000
/** A longer result of `messageExpression` is ignored. */
const maxMessageBytes = 5 * 1024

/** The outcome of one validation. */
export interface Decision {
  readonly isAdmitted: boolean
  /** Whether evaluation failed, so that the failure policy decided. */
  readonly isFailed: boolean
  readonly message: string
  readonly reason: string
  /** Index in `spec.validations`. */
  readonly index: number
}
/** An audit annotation, or the error that prevented it. */
export type AnnotationOutcome = { readonly key: string; readonly value: string } | { readonly error: string }

export interface PolicyResult {
  readonly isSkipped: boolean
  readonly decisions: readonly Decision[]
  readonly annotations: readonly AnnotationOutcome[]
}

/** Evaluates one expression and charges its cost to the shared budget. */
export function evaluate(
  expression: Expression,
  text: string,
  variables: PolicyVariables,
  budget: ExpressionBudget,
): ExpressionOutcome {
  const limit = Math.min(maxCallCost, budget.left)
  if (limit <= 0)
    return { error: 'validation failed due to running out of cost budget, no further validation rules will be run' }
  const own = { left: limit }
  const outcome = expression.evaluate(valuesOf(variables), own)
  budget.left -= limit - own.left
  return 'error' in outcome ? { error: `expression '${text.trim()}' resulted in error: ${outcome.error}` } : outcome
}

/** Whether all match conditions are true. One false condition decides; an error counts only if none is false. */
export function conditionsHold(
  { conditions }: CompiledPolicy,
  variables: PolicyVariables,
): boolean | { error: string } {
  if (conditions.length === 0) return true
  const seen = variables.forConditions()
  const budget = { left: maxConditionsCost }
  const errors: string[] = []
  for (const { text, expression } of conditions) {
    const outcome = evaluate(expression, text, seen, budget)
    if ('error' in outcome) errors.push(outcome.error)
    else if (outcome.value !== true) return false
  }
  return errors.length === 0 ? true : { error: errors.join(', ') }
}

/** Evaluates a validating policy. */
export function evaluatePolicy(
  compiled: CompiledPolicy,
  variables: PolicyVariables,
  isFailureIgnored: boolean,
): PolicyResult {
  const failed = (message: string, index: number): Decision => ({
    isAdmitted: isFailureIgnored,
    isFailed: true,
    message,
    reason: '',
    index,
  })
  const holds = conditionsHold(compiled, variables)
  if (holds === false) return { isSkipped: true, decisions: [], annotations: [] }
  if (holds !== true) return { isSkipped: false, decisions: [failed(holds.error, 0)], annotations: [] }
  const budget = { left: maxPolicyCost }
  const decisions = compiled.validations.map((validation, index): Decision => {
    const outcome = evaluate(validation.expression, validation.rule.expression, variables, budget)
    if ('error' in outcome) return failed(outcome.error, index)
    if (outcome.value === true) return { isAdmitted: true, isFailed: false, message: '', reason: '', index }
    const { reason = 'Invalid' } = validation.rule
    return { isAdmitted: false, isFailed: false, message: messageFor(validation, variables, budget), reason, index }
  })
  const annotationBudget = { left: maxPolicyCost }
  const annotations = compiled.annotations.flatMap(({ key, text, expression }): AnnotationOutcome[] => {
    const outcome = evaluate(expression, text, variables, annotationBudget)
    if ('error' in outcome) return isFailureIgnored ? [] : [outcome]
    if (outcome.value === null) return []
    if (typeof outcome.value !== 'string')
      return [
        {
          error: `valueExpression '${text}' resulted in unsupported return type: ${typeof outcome.value}. Return type must be either string or null.`,
        },
      ]
    const value = outcome.value.trim()
    return value === '' ? [] : [{ key, value }]
  })
  return { isSkipped: false, decisions, annotations }
}

/** The value of `messageExpression` if it is a single line; otherwise `message`, or the failed expression itself. */
function messageFor(
  { rule, message }: CompiledValidation,
  variables: PolicyVariables,
  budget: ExpressionBudget,
): string {
  const outcome = message && evaluate(message, rule.messageExpression ?? '', variables, budget)
  if (outcome && 'value' in outcome && typeof outcome.value === 'string') {
    const text = outcome.value.trim()
    if (text !== '' && !text.includes('\n') && Buffer.byteLength(text) <= maxMessageBytes) return text
  }
  return rule.message?.trim() || `failed expression: ${rule.expression.trim()}`
}

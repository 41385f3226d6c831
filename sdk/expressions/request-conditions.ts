import type { AdmissionRequest, ServedType } from '../admission/admission.js'
import { serviceToken } from '../plugin/service-token.js'
import type { ExpressionError } from './expressions.js'

/** A named expression that must be true of a request. */
export interface RequestCondition {
  readonly name: string
  readonly expression: string
}
/** Conditions that are ready to be evaluated. */
export interface CompiledConditions {
  /** Are all of them true? False as soon as one is false; an error counts only if none is. */
  hold(request: AdmissionRequest, as: ServedType): Promise<boolean | { readonly error: string }>
}
/**
 * Compiles conditions. `report` is told of those that are no valid expressions, by their place in the list. Those that are being
 * written, and were not there before, may use less than others.
 */
type CompileConditions = (
  conditions: readonly RequestCondition[],
  report: (index: number, why: ExpressionError) => void,
  isNew?: (expression: string) => boolean,
) => Promise<CompiledConditions>

/** Where the plugin that knows the language of conditions says so. Without one, conditions cannot be used. */
export class ConditionLanguage {
  compile: CompileConditions | undefined
}
/** The service that webhooks ask for the language of their conditions. */
export const conditionLanguage = serviceToken<ConditionLanguage>('condition language')

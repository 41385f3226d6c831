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
 * Compiles conditions. `report` is called for those that are not valid expressions, with their index. New ones, which were not stored
 * before, may use fewer functions than others.
 */
type CompileConditions = (
  conditions: readonly RequestCondition[],
  report: (index: number, why: ExpressionError) => void,
  isNew?: (expression: string) => boolean,
) => Promise<CompiledConditions>

/** The compiler of conditions, set by the plugin that has the language. Without one, conditions cannot be used. */
export class ConditionLanguage {
  compile: CompileConditions | undefined
}
/** The token of the service that compiles the conditions of webhooks. */
export const conditionLanguage = serviceToken<ConditionLanguage>('condition language')

/** CEL as a service: what the plugin `expressions` offers to those that require it. */
export {
  authorizerVariable,
  type Expression,
  type ExpressionAuthorizer,
  type ExpressionBudget,
  ExpressionError,
  type ExpressionOptions,
  type ExpressionOutcome,
  type ExpressionQuestion,
  type ExpressionResult,
  type Expressions,
  expressions,
  quantityVariable,
  type RuleCheck,
} from './expressions.js'
export {
  type CompiledConditions,
  ConditionLanguage,
  conditionLanguage,
  type RequestCondition,
} from './request-conditions.js'

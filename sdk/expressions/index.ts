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
  type RuleCheck,
  type SchemaRules,
  schemaRules,
} from './expressions.js'
export { expressionDifferences, type LanguageVersion, languageVersionOf } from './language-version.js'
export {
  type CompiledConditions,
  ConditionLanguage,
  conditionLanguage,
  type RequestCondition,
} from './request-conditions.js'

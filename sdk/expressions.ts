import type { FieldError } from './field-errors.js'
import { serviceToken } from './service-token.js'

/** A text that is no expression, or one that can cost more than it may. */
export class ExpressionError extends Error {}

/** What expressions may still cost. Whoever evaluates several for one request gives them the same one. */
export interface ExpressionBudget {
  left: number
}

/** What an expression came to, or in words why it came to nothing. */
export type ExpressionOutcome = { readonly value: unknown } | { readonly error: string }

/** A compiled expression. */
export interface Expression {
  /** The most that one evaluation can cost, estimated from the sizes that the schemas of its variables allow. */
  readonly maxCost: number
  /** Does it use this variable? */
  uses(variable: string): boolean
  /** Takes values of JSON, and gives one. What it really costs goes off the budget; it ends when nothing is left of that. */
  evaluate(variables: Readonly<Record<string, unknown>>, budget: ExpressionBudget): ExpressionOutcome
}

/** What an expression is compiled for. */
export interface ExpressionOptions {
  /**
   * The variables and their schemas, as in a CustomResourceDefinition. Fields that a schema does not have are mistakes in an
   * expression; `{}` is the schema of a value that can be anything. Limits of sizes make expressions cheaper.
   */
  readonly variables: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** What it must come to. */
  readonly result?: 'bool' | 'int' | 'double' | 'string'
  /** The most that it may be estimated to cost; ten million by default. */
  readonly maxCost?: number
}

/** Checks an object against the rules of its schema. `before` is the stored object, on updates. */
export type RuleCheck = (object: unknown, before?: unknown) => FieldError[]

/**
 * Expressions in CEL with the functions that Kubernetes adds, bounded by cost: for policies, conditions and rules that are data.
 * The plugin `custom-resources` offers it; the language is loaded with the first expression.
 */
export interface Expressions {
  /** Rejects with an ExpressionError. */
  compile(text: string, options: ExpressionOptions): Promise<Expression>
  /** The rules that a schema has in its extension `validations`; undefined when there are none. Rejects with an ExpressionError. */
  rulesOf(schema: Readonly<Record<string, unknown>>): Promise<RuleCheck | undefined>
}
/** Needed by who evaluates expressions. */
export const expressions = serviceToken<Expressions>('expressions')

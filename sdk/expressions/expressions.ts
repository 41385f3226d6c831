import type { AccessDecision, ResourceAccess } from '../identity/authorization.js'
import { serviceToken } from '../plugin/service-token.js'
import type { FieldError } from '../resource/field-errors.js'

/** Thrown for an invalid expression, or one that can cost too much. */
export class ExpressionError extends Error {
  /** Whether the text is a correct expression that only cannot be prepared to run, such as one with an invalid pattern. */
  readonly isInternal: boolean
  constructor(message: string, { isInternal = false }: { readonly isInternal?: boolean } = {}) {
    super(message)
    this.isInternal = isInternal
  }
}

/** The remaining cost. All expressions that are evaluated for one request share one budget. */
export interface ExpressionBudget {
  left: number
}

/** The result of an expression, or the reason why there is none. */
export type ExpressionOutcome = { readonly value: unknown } | { readonly error: string }

/** A compiled expression. */
export interface Expression {
  /** The most that one evaluation can cost, estimated from the sizes that the schemas of its variables allow. */
  readonly maxCost: number
  /** Does it use this variable? */
  uses(variable: string): boolean
  /**
   * Evaluates to a JSON value. The actual cost is subtracted from the budget; evaluation fails when that is used up. Composed variables are
   * evaluated once per `variables` object, however many expressions share it, so it must not be changed meanwhile.
   */
  evaluate(variables: Readonly<Record<string, unknown>>, budget: ExpressionBudget): ExpressionOutcome
}

/** A type that an expression can evaluate to. `Object` is an apply configuration, and needs `makesChanges` as patches do. */
export type ExpressionResult = 'bool' | 'int' | 'double' | 'string' | 'null' | 'Object' | 'list(JSONPatch)'

/** An access check that an expression makes through a variable declared as `authorizerVariable`. */
export interface ExpressionQuestion
  extends Partial<Pick<ResourceAccess, 'group' | 'resource' | 'subresource' | 'namespace' | 'name'>> {
  readonly verb: string
  /** Selectors as in a query. */
  readonly fieldSelector?: string
  readonly labelSelector?: string
  /** A path outside the resource API, instead of a resource. */
  readonly path?: string
  /** Asks for this account instead of the user. */
  readonly serviceAccount?: { readonly namespace: string; readonly name: string }
}
/** The value of a variable that answers who may do what: `authorizer.group('apps').resource('deployments').check('get').allowed()`. */
export interface ExpressionAuthorizer {
  /** What the request itself is about, for `authorizer.requestResource`. */
  readonly requestResource?: Omit<ExpressionQuestion, 'verb' | 'path'>
  /**
   * Expressions never wait. If the answer takes time, note the question, return no opinion, and evaluate the expression again with the
   * answer.
   */
  check(question: ExpressionQuestion): AccessDecision
}
/** Stands for a schema in `variables`: the value is an ExpressionAuthorizer. */
export const authorizerVariable: Readonly<Record<string, unknown>> = Object.freeze({ type: 'authorizer' })

/** What an expression is compiled for. */
export interface ExpressionOptions {
  /**
   * The variables and their schemas, as in a CustomResourceDefinition. An expression that uses a field its schema does not have is invalid;
   * `{}` is the schema of a value that can be anything, and `{ type: 'quantity' }` that of a quantity such as `10Gi`. Limits of sizes make expressions cheaper.
   */
  readonly variables: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Other expressions as fields of one more variable: `variables.name`. Each is evaluated when it is first used. */
  readonly composed?: { readonly name: string; readonly fields: Readonly<Record<string, Expression>> }
  /** The type that it must evaluate to, or one of several. */
  readonly result?: ExpressionResult | readonly ExpressionResult[]
  /** May it construct changes of objects: `Object{spec: Object.spec{...}}` and `JSONPatch{op: ..., path: ..., value: ...}`? */
  readonly makesChanges?: boolean
  /** Is the macro `cel.bind(name, value, expression)` available? */
  readonly hasBindings?: boolean
  /**
   * Is it new, rather than one that was accepted before? New expressions may use only functions that the previous version has as well, so
   * that a server can be downgraded.
   */
  readonly isNew?: boolean
  /** The highest estimated cost that is accepted; ten million by default. */
  readonly maxCost?: number
}

/**
 * Expressions in CEL with the functions that Kubernetes adds, bounded by cost: for policies, conditions and rules that are data.
 * The plugin `expressions` offers it; the language is loaded with the first expression.
 */
export interface Expressions {
  /** Rejects with an ExpressionError. */
  compile(text: string, options: ExpressionOptions): Promise<Expression>
}
/** The token of `Expressions`. */
export const expressions = serviceToken<Expressions>('expressions')

/** Checks an object against the rules of its schema. `before` is the stored object, on updates. */
export type RuleCheck = (object: unknown, before?: unknown) => FieldError[]

/** Rules in CEL as part of schemas, as in CustomResourceDefinitions. The plugin `custom-resources` offers it. */
export interface SchemaRules {
  /** The rules that a schema has in its extension `validations`; undefined when there are none. Rejects with an ExpressionError. */
  rulesOf(schema: Readonly<Record<string, unknown>>): Promise<RuleCheck | undefined>
}
/** The token of `SchemaRules`. */
export const schemaRules = serviceToken<SchemaRules>('schema rules')

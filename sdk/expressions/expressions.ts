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
   * Takes values of JSON, and gives one. What it really costs goes off the budget; it ends when nothing is left of that. Composed
   * variables are evaluated once for one `variables`, however many expressions get it; so it must not be changed meanwhile.
   */
  evaluate(variables: Readonly<Record<string, unknown>>, budget: ExpressionBudget): ExpressionOutcome
}

/** A type that an expression can come to. `Object` is an apply configuration, and needs `makesChanges` as patches do. */
export type ExpressionResult = 'bool' | 'int' | 'double' | 'string' | 'null' | 'Object' | 'list(JSONPatch)'

/** What an expression asks a variable of `authorizerVariable` about. */
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
  /** Expressions never wait: who has to, remembers the question, gives no opinion, and evaluates again with the answer. */
  check(question: ExpressionQuestion): AccessDecision
}
/** Stands for a schema in `variables`: the value is an ExpressionAuthorizer. */
export const authorizerVariable: Readonly<Record<string, unknown>> = Object.freeze({ type: 'authorizer' })

/** Stands for a schema of a value: a quantity such as `10Gi`, which expressions compare and add as such. */
export const quantityVariable: Readonly<Record<string, unknown>> = Object.freeze({ type: 'quantity' })

/** What an expression is compiled for. */
export interface ExpressionOptions {
  /**
   * The variables and their schemas, as in a CustomResourceDefinition. Fields that a schema does not have are mistakes in an
   * expression; `{}` is the schema of a value that can be anything. Limits of sizes make expressions cheaper.
   */
  readonly variables: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Other expressions as fields of one more variable: `variables.name`. Each is evaluated when it is first used. */
  readonly composed?: { readonly name: string; readonly fields: Readonly<Record<string, Expression>> }
  /** What it must come to; of several, one. */
  readonly result?: ExpressionResult | readonly ExpressionResult[]
  /** May it make changes of objects: `Object{spec: Object.spec{...}}` and `JSONPatch{op: ..., path: ..., value: ...}`? */
  readonly makesChanges?: boolean
  /** Is there the macro `cel.bind(name, value, expression)`? */
  readonly hasBindings?: boolean
  /**
   * Is it being written, and not one that was accepted before? New expressions may use only the functions that the version before
   * has, too, so that a server can go back to it.
   */
  readonly isNew?: boolean
  /** The most that it may be estimated to cost; ten million by default. */
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

/** Rules in CEL that schemas have, as in definitions. The plugin `custom-resources` offers it. */
export interface SchemaRules {
  /** The rules that a schema has in its extension `validations`; undefined when there are none. Rejects with an ExpressionError. */
  rulesOf(schema: Readonly<Record<string, unknown>>): Promise<RuleCheck | undefined>
}
/** The token of `SchemaRules`. */
export const schemaRules = serviceToken<SchemaRules>('schema rules')

import type { FunctionTable } from '../environment.js'
import type { Overload } from '../functions/overload.js'
import type { Expr, ParsedExpression } from '../syntax/ast.js'
import type { Type } from './cel-types.js'

/** The result of type-checking an expression. */
export interface CheckedExpression extends ParsedExpression {
  readonly type: Type
  typeOf(expr: Expr): Type
  /** The overloads that fit a call; several only if types of its arguments are unknown until it runs. */
  overloadsOf(call: Expr): readonly Overload[]
  /**
   * The qualified name if a selection or call refers to a variable or function of that name:
   * `google.protobuf.Timestamp`.
   */
  nameOf(expr: Expr): string | undefined
}

export interface CheckOptions {
  readonly functions: FunctionTable
  /** The types of variables. Names may be qualified. */
  readonly variables: ReadonlyMap<string, Type>
  /** Types of structs that the expression may make, by name; `Object.*` covers all names that begin so. */
  readonly structs?: (name: string) => Type | undefined
}

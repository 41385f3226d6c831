/** A part of a parsed expression. `id` is unique within the expression and finds its position, type and overloads. */
export type Expr = Literal | Ident | Select | Call | ListExpr | MapExpr | StructExpr | Comprehension

interface Part {
  readonly id: number
}
export interface Literal extends Part {
  readonly kind: 'literal'
  readonly value: LiteralValue
}
/** The value of a literal. An unsigned integer is wrapped because an integer is a bigint, too. */
export type LiteralValue = null | boolean | bigint | number | string | Uint8Array | { readonly uint: bigint }

export interface Ident extends Part {
  readonly kind: 'ident'
  readonly name: string
}
export interface Select extends Part {
  readonly kind: 'select'
  readonly operand: Expr
  readonly field: string
  /** Set for `has(a.b)`, which tests whether the field is present. */
  readonly testOnly: boolean
}
export interface Call extends Part {
  readonly kind: 'call'
  readonly name: string
  /** The receiver of a method. */
  readonly target: Expr | undefined
  readonly args: readonly Expr[]
}
export interface ListExpr extends Part {
  readonly kind: 'list'
  readonly items: readonly Expr[]
  /** Positions of optional items, which are omitted if they have no value: `[?a]`. */
  readonly optional: ReadonlySet<number>
}
export interface MapExpr extends Part {
  readonly kind: 'map'
  readonly entries: readonly MapEntry[]
}
export interface MapEntry extends Part {
  readonly key: Expr
  readonly value: Expr
  readonly isOptional: boolean
}
export interface StructExpr extends Part {
  readonly kind: 'struct'
  readonly typeName: string
  readonly fields: readonly StructField[]
}
export interface StructField extends Part {
  readonly name: string
  readonly value: Expr
  readonly isOptional: boolean
}
/** A loop, which macros such as `all` expand to. */
export interface Comprehension extends Part {
  readonly kind: 'comprehension'
  readonly range: Expr
  readonly variable: string
  /** The value where `variable` is the index or key; undefined for a loop with one variable. */
  readonly second: string | undefined
  readonly accumulator: string
  readonly init: Expr
  readonly condition: Expr
  readonly step: Expr
  readonly result: Expr
}

export interface ParsedExpression {
  readonly text: string
  readonly root: Expr
  /** Offsets in the text, by id. */
  readonly positions: readonly number[]
}

/** The direct parts of an expression. */
export function partsOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'select':
      return [expr.operand]
    case 'call':
      return expr.target ? [expr.target, ...expr.args] : expr.args
    case 'list':
      return expr.items
    case 'map':
      return expr.entries.flatMap(({ key, value }) => [key, value])
    case 'struct':
      return expr.fields.map(({ value }) => value)
    case 'comprehension':
      return [expr.range, expr.init, expr.condition, expr.step, expr.result]
    default:
      return []
  }
}

/** `a.b.c` as a name; undefined for any other expression. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name
  if (expr.kind !== 'select' || expr.testOnly) return undefined
  const outer = qualifiedName(expr.operand)
  return outer === undefined ? undefined : `${outer}.${expr.field}`
}

/** The name of the variable in which a loop collects its result. It cannot occur in an expression. */
export const accumulatorName = '@result'

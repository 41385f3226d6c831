import type { Comprehension, Expr, LiteralValue, MapEntry, StructField } from './ast.js'

/** Makes parts of an expression, each with an id of its own. */
export class ExprBuilder {
  /** Offsets in the text, by id. */
  readonly positions: number[] = []

  nextId(at: number): number {
    return this.positions.push(at) - 1
  }

  /** Makes parts that belong to this offset of the text. */
  at(at: number): ExprMaker {
    return new ExprMaker(this, at)
  }
}

class ExprMaker {
  readonly #builder: ExprBuilder
  readonly #at: number
  constructor(builder: ExprBuilder, at: number) {
    this.#builder = builder
    this.#at = at
  }
  get #id(): number {
    return this.#builder.nextId(this.#at)
  }
  literal(value: LiteralValue): Expr {
    return { kind: 'literal', id: this.#id, value }
  }
  ident(name: string): Expr {
    return { kind: 'ident', id: this.#id, name }
  }
  select(operand: Expr, field: string, testOnly = false): Expr {
    return { kind: 'select', id: this.#id, operand, field, testOnly }
  }
  call(name: string, ...args: Expr[]): Expr {
    return { kind: 'call', id: this.#id, name, target: undefined, args }
  }
  method(target: Expr, name: string, ...args: Expr[]): Expr {
    return { kind: 'call', id: this.#id, name, target, args }
  }
  list(items: readonly Expr[] = [], optional: ReadonlySet<number> = new Set()): Expr {
    return { kind: 'list', id: this.#id, items, optional }
  }
  map(entries: readonly MapEntry[] = []): Expr {
    return { kind: 'map', id: this.#id, entries }
  }
  struct(typeName: string, fields: readonly StructField[]): Expr {
    return { kind: 'struct', id: this.#id, typeName, fields }
  }
  loop(parts: Omit<Comprehension, 'kind' | 'id'>): Expr {
    return { kind: 'comprehension', id: this.#id, ...parts }
  }
}

export type { ExprMaker }

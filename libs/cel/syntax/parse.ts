import type { Expr, MapEntry, ParsedExpression, StructField } from './ast.js'
import { ExprBuilder } from './builder.js'
import { celErrorOf } from './errors.js'
import { type Dialect, expandMacro } from './macros.js'
import { TokenReader } from './token-reader.js'
import type { Token } from './tokens.js'

/** Longer or more deeply nested expressions are rejected. */
const maxLength = 100_000
const maxDepth = 250

/** Reserved words: not allowed as names of variables, but allowed as names of fields. */
const reserved = new Set(
  'as break const continue else for function if import let loop package namespace return var void while'.split(' '),
)
const keywords = new Set(['true', 'false', 'null', 'in'])

/** Parses an expression and expands its macros. Throws a CelError. */
export function parseExpression(
  text: string,
  { minor = Number.POSITIVE_INFINITY, hasBindings = false }: Partial<Dialect> = {},
): ParsedExpression {
  if (text.length > maxLength)
    throw celErrorOf(text.slice(0, 100), [{ at: 0, message: `an expression may have at most ${maxLength} characters` }])
  const parser = new Parser(text, { minor, hasBindings })
  return { text, root: parser.whole(), positions: parser.build.positions }
}

class Parser {
  readonly #dialect: Dialect
  readonly #reader: TokenReader
  readonly build = new ExprBuilder()
  #depth = 0

  constructor(text: string, dialect: Dialect) {
    this.#dialect = dialect
    this.#reader = new TokenReader(text)
  }

  whole(): Expr {
    const expr = this.#expr()
    if (this.#reader.token.kind !== 'end') throw this.#reader.unexpected()
    return expr
  }

  /** Runs a rule one level deeper. */
  #deeper<T>(rule: () => T): T {
    if (++this.#depth > maxDepth)
      throw this.#reader.error(this.#reader.token.at, `an expression may nest at most ${maxDepth} levels`)
    const parsed = rule()
    this.#depth--
    return parsed
  }

  #expr(): Expr {
    return this.#deeper(() => {
      const condition = this.#logical('||', '_||_', () => this.#logical('&&', '_&&_', () => this.#relation()))
      if (!this.#reader.is('?')) return condition
      const { at } = this.#reader.take()
      const then = this.#logical('||', '_||_', () => this.#logical('&&', '_&&_', () => this.#relation()))
      this.#reader.expect(':')
      return this.build.at(at).call('_?_:_', condition, then, this.#expr())
    })
  }

  /** Operands are collected in a flat list, so that a long chain does not nest. */
  #logical(symbol: string, name: string, operand: () => Expr): Expr {
    const first = operand()
    if (!this.#reader.is(symbol)) return first
    const { at } = this.#reader.token
    const operands = [first]
    while (this.#reader.accept(symbol)) operands.push(operand())
    return this.build.at(at).call(name, ...operands)
  }

  #relation(): Expr {
    return this.#chain(
      ['<', '<=', '>', '>=', '==', '!=', 'in'],
      text => (text === 'in' ? '@in' : `_${text}_`),
      () => this.#sum(),
    )
  }
  #sum(): Expr {
    return this.#chain(
      ['+', '-'],
      text => `_${text}_`,
      () => this.#product(),
    )
  }
  #product(): Expr {
    return this.#chain(
      ['*', '/', '%'],
      text => `_${text}_`,
      () => this.#unary(),
    )
  }
  #chain(operators: readonly string[], nameOf: (text: string) => string, operand: () => Expr): Expr {
    let left = operand()
    const depth = this.#depth
    while (this.#isOperator(operators)) {
      const { text, at } = this.#reader.take()
      left = this.#nested(at, () => this.build.at(at).call(nameOf(text), left, operand()))
    }
    this.#depth = depth
    return left
  }
  #isOperator(operators: readonly string[]): boolean {
    const { kind, text } = this.#reader.token
    return (kind === 'symbol' || (kind === 'name' && text === 'in')) && operators.includes(text)
  }
  /** A chain of operators or selections nests the earlier ones; the caller restores the depth. */
  #nested<T>(at: number, make: () => T): T {
    if (++this.#depth > maxDepth) throw this.#reader.error(at, `an expression may nest at most ${maxDepth} levels`)
    return make()
  }

  #unary(): Expr {
    const { at } = this.#reader.token
    if (this.#reader.accept('!')) return this.#deeper(() => this.build.at(at).call('!_', this.#unary()))
    if (!this.#reader.is('-')) return this.#member()
    const { kind } = this.#reader.ahead(1)!
    if (kind === 'int' || kind === 'double') return this.#member()
    this.#reader.take()
    return this.#deeper(() => this.build.at(at).call('-_', this.#unary()))
  }

  #member(): Expr {
    let expr = this.#primary()
    const depth = this.#depth
    for (;;) {
      const { at } = this.#reader.token
      if (this.#reader.accept('.')) {
        const isOptional = this.#reader.accept('?')
        const name = this.#fieldName()
        if (!isOptional && this.#reader.is('(')) {
          const args = this.#arguments()
          expr = this.#nested(at, () => this.#call(at, name, expr, args))
        } else
          expr = this.#nested(at, () =>
            isOptional
              ? this.build.at(at).call('_?._', expr, this.build.at(at).literal(name))
              : this.build.at(at).select(expr, name),
          )
      } else if (this.#reader.accept('[')) {
        const isOptional = this.#reader.accept('?')
        const index = this.#expr()
        this.#reader.expect(']')
        expr = this.#nested(at, () => this.build.at(at).call(isOptional ? '_[?_]' : '_[_]', expr, index))
      } else break
    }
    this.#depth = depth
    return expr
  }
  #fieldName(): string {
    const { kind, text } = this.#reader.token
    if (kind !== 'name' || keywords.has(text)) throw this.#reader.unexpected('IDENTIFIER')
    this.#reader.take()
    return text
  }
  #arguments(): Expr[] {
    this.#reader.expect('(')
    const args: Expr[] = []
    while (!this.#reader.is(')')) {
      args.push(this.#expr())
      if (!this.#reader.accept(',')) break
    }
    this.#reader.expect(')')
    return args
  }
  #call(at: number, name: string, target: Expr | undefined, args: readonly Expr[]): Expr {
    const expanded = expandMacro(this.build, { at, name, target, args }, this.#dialect, (part, message) =>
      this.#reader.error(this.build.positions[part.id]!, message),
    )
    if (expanded) return expanded
    const maker = this.build.at(at)
    return target ? maker.method(target, name, ...args) : maker.call(name, ...args)
  }

  #primary(): Expr {
    const token = this.#reader.token
    const { at } = token
    const maker = this.build.at(at)
    switch (token.kind) {
      case 'string':
      case 'bytes':
        this.#reader.take()
        return maker.literal(token.value!)
      case 'int':
      case 'uint':
      case 'double':
        this.#reader.take()
        return maker.literal(this.#number(token, false))
      case 'name':
        return this.#named(token)
      case 'end':
        throw this.#reader.unexpected()
    }
    if (this.#reader.accept('-')) return maker.literal(this.#number(this.#reader.take(), true))
    if (this.#reader.accept('(')) {
      const inner = this.#expr()
      this.#reader.expect(')')
      return inner
    }
    if (this.#reader.accept('[')) return this.#list(at)
    if (this.#reader.accept('{')) return this.#map(at)
    if (this.#reader.accept('.')) {
      // A leading dot means the root scope, and there is no other.
      if (this.#reader.token.kind !== 'name') throw this.#reader.unexpected('IDENTIFIER')
      return this.#named(this.#reader.token)
    }
    throw this.#reader.unexpected()
  }

  #named({ text, at }: Token): Expr {
    const maker = this.build.at(at)
    this.#reader.take()
    if (text === 'true' || text === 'false') return maker.literal(text === 'true')
    if (text === 'null') return maker.literal(null)
    if (text === 'in') {
      this.#reader.skip(-1)
      throw this.#reader.unexpected()
    }
    const typeName = this.#typeName(text)
    if (typeName !== undefined) return this.#struct(at, typeName)
    if (reserved.has(text)) throw this.#reader.error(at, `reserved identifier: ${text}`)
    if (this.#reader.is('(')) {
      const open = this.#reader.token.at
      return this.#call(open, text, undefined, this.#arguments())
    }
    return maker.ident(text)
  }
  /** `a.b{` begins a struct. If so, advances past the name. */
  #typeName(first: string): string | undefined {
    let count = 0
    let typeName = first
    while (this.#reader.is('.', count) && this.#reader.ahead(count + 1)?.kind === 'name') {
      typeName += `.${this.#reader.ahead(count + 1)!.text}`
      count += 2
    }
    if (!this.#reader.is('{', count)) return undefined
    this.#reader.skip(count)
    return typeName
  }

  #number({ kind, text, at }: Token, isNegative: boolean): bigint | number | { uint: bigint } {
    if (kind === 'double') return isNegative ? -Number(text) : Number(text)
    const value = BigInt(text.replace(/[uU]$/, ''))
    if (kind === 'uint') {
      if (value > maxUint) throw this.#reader.error(at, 'invalid uint literal')
      return { uint: value }
    }
    const signed = isNegative ? -value : value
    if (signed < minInt || signed > maxInt) throw this.#reader.error(at, 'invalid int literal')
    return signed
  }

  #list(at: number): Expr {
    const items: Expr[] = []
    const optional = new Set<number>()
    while (!this.#reader.is(']')) {
      if (this.#reader.accept('?')) optional.add(items.length)
      items.push(this.#expr())
      if (!this.#reader.accept(',')) break
    }
    this.#reader.expect(']')
    return this.build.at(at).list(items, optional)
  }

  #map(at: number): Expr {
    const entries: MapEntry[] = []
    while (!this.#reader.is('}')) {
      const isOptional = this.#reader.accept('?')
      const key = this.#expr()
      const colon = this.#reader.expect(':')
      entries.push({ id: this.build.nextId(colon.at), key, value: this.#expr(), isOptional })
      if (!this.#reader.accept(',')) break
    }
    this.#reader.expect('}')
    return this.build.at(at).map(entries)
  }

  #struct(at: number, typeName: string): Expr {
    this.#reader.expect('{')
    const fields: StructField[] = []
    while (!this.#reader.is('}')) {
      const isOptional = this.#reader.accept('?')
      const name = this.#fieldName()
      const colon = this.#reader.expect(':')
      fields.push({ id: this.build.nextId(colon.at), name, value: this.#expr(), isOptional })
      if (!this.#reader.accept(',')) break
    }
    this.#reader.expect('}')
    return this.build.at(at).struct(typeName, fields)
  }
}

const maxUint = 2n ** 64n - 1n
const maxInt = 2n ** 63n - 1n
const minInt = -(2n ** 63n)

import { isObject } from '../json/index.js'
import { TemplateError } from './errors.js'
import { isTrue, shown, templateFunctions, typeName, type Value } from './functions.js'
import { type Piece, readPieces, stringValue, type Token } from './tokens.js'

/** Variables in scope; those of an inner block shadow those of an outer one. */
class Scope {
  readonly #values = new Map<string, Value>()
  readonly #outer: Scope | undefined
  constructor(outer?: Scope) {
    this.#outer = outer
  }
  get(name: string): Value {
    if (this.#values.has(name)) return this.#values.get(name)
    if (this.#outer === undefined) throw new TemplateError(`the template has no variable ${name}`)
    return this.#outer.get(name)
  }
  declare(name: string, value: Value): void {
    this.#values.set(name, value)
  }
  assign(name: string, value: Value): void {
    if (this.#values.has(name)) this.#values.set(name, value)
    else if (this.#outer) this.#outer.assign(name, value)
    else throw new TemplateError(`the template has no variable ${name}`)
  }
}

interface Evaluation {
  readonly dot: Value
  readonly scope: Scope
  /** Whether a missing field is an error. */
  readonly requiresKeys: boolean
  write(text: string): void
}
type Node = (at: Evaluation) => 'break' | 'continue' | void
type Expression = (at: Omit<Evaluation, 'write'>) => Value

const unsupported = ['define', 'template', 'block']

/** Executes a Go template. Template definitions are not supported. */
export function fillGoTemplate(template: string, data: unknown, requiresKeys = false): string {
  const pieces = readPieces(template)
  const reader = new TemplateReader(pieces)
  const node = reader.readAll()
  const scope = new Scope()
  scope.declare('$', data)
  let text = ''
  node({ dot: data, scope, requiresKeys, write: more => (text += more) })
  return text
}

class TemplateReader {
  readonly #pieces: readonly Piece[]
  #next = 0
  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces
  }
  readAll(): Node {
    const [node, end] = this.#readList()
    if (end !== undefined) throw new TemplateError(`the template has {{${end[0]?.text}}} without an open block`)
    return node
  }
  /** Reads up to `end` or `else`, whose tokens it returns, or to the end of the template. */
  #readList(): [Node, readonly Token[] | undefined] {
    const nodes: Node[] = []
    const all: Node = at => {
      for (const node of nodes) {
        const how = node(at)
        if (how) return how
      }
    }
    for (;;) {
      const piece = this.#pieces[this.#next++]
      if (piece === undefined) return [all, undefined]
      if ('text' in piece) {
        nodes.push(at => void at.write(piece.text))
        continue
      }
      const [first, ...rest] = piece.tokens
      if (first === undefined) throw new TemplateError('the template has an empty {{}}')
      if (first.kind === 'name' && unsupported.includes(first.text))
        throw new TemplateError(`the template has {{${first.text}}}, which is not supported`)
      if (first.kind === 'name' && (first.text === 'end' || first.text === 'else')) return [all, piece.tokens]
      if (first.kind === 'name' && ['if', 'with', 'range'].includes(first.text))
        nodes.push(this.#readBlock(first.text, rest))
      else if (first.kind === 'name' && (first.text === 'break' || first.text === 'continue')) {
        const how = first.text
        nodes.push(() => how)
      } else nodes.push(readAction(piece.tokens))
    }
  }
  #readBlock(kind: string, tokens: readonly Token[]): Node {
    const { names, isNew, value } = readAssignment(tokens)
    const [body, end] = this.#readList()
    if (end === undefined) throw new TemplateError(`the template has {{${kind}}} without {{end}}`)
    let otherwise: Node = () => {}
    if (end[0]?.text === 'else') {
      if (end[1] && ['if', 'with'].includes(end[1].text)) otherwise = this.#readBlock(end[1].text, end.slice(2))
      else {
        const [node, last] = this.#readList()
        if (last?.[0]?.text !== 'end') throw new TemplateError(`the template has {{else}} without {{end}}`)
        otherwise = node
      }
    }
    if (kind === 'range') return rangeNode({ names, value, body, otherwise })
    return at => {
      const scope = new Scope(at.scope)
      const found = value(at)
      const [name] = names
      if (name !== undefined) {
        if (isNew) scope.declare(name, found)
        else scope.assign(name, found)
      }
      const dot = kind === 'with' && isTrue(found) ? found : at.dot
      return (isTrue(found) ? body : otherwise)({ ...at, dot, scope })
    }
  }
}

interface Range {
  readonly names: readonly string[]
  readonly value: Expression
  readonly body: Node
  readonly otherwise: Node
}
const rangeNode =
  ({ names, value, body, otherwise }: Range): Node =>
  at => {
    const found = value(at)
    const entries = entriesOf(found)
    if (entries.length === 0) return otherwise({ ...at, scope: new Scope(at.scope) })
    for (const [key, dot] of entries) {
      const scope = new Scope(at.scope)
      const [first, second] = names
      if (first !== undefined) scope.declare(first, second === undefined ? dot : key)
      if (second !== undefined) scope.declare(second, dot)
      if (body({ ...at, dot, scope }) === 'break') return
    }
  }
function entriesOf(value: Value): [Value, Value][] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.map((item, index) => [index, item])
  if (typeof value === 'number') return Array.from({ length: Math.max(0, value) }, (_, index) => [index, index])
  if (isObject(value))
    return Object.keys(value)
      .sort()
      .map(key => [key, value[key]])
  throw new Error(`the template cannot range over a ${typeName(value)}`)
}

/** `$a, $b := PIPELINE`, `$a = PIPELINE`, or a pipeline alone. */
function readAssignment(tokens: readonly Token[]): { names: string[]; isNew: boolean; value: Expression } {
  const sign = tokens.findIndex(({ kind, text }) => kind === 'sign' && (text === ':=' || text === '='))
  const names = tokens.slice(0, Math.max(sign, 0)).filter(({ kind }) => kind === 'variable')
  const reader = new ExpressionReader(tokens.slice(sign + 1))
  return { names: names.map(({ text }) => text), isNew: tokens[sign]?.text === ':=', value: reader.readAll() }
}

function readAction(tokens: readonly Token[]): Node {
  const { names, isNew, value } = readAssignment(tokens)
  const [name] = names
  if (name === undefined) return at => void at.write(shown(value(at)))
  return at => {
    if (isNew) at.scope.declare(name, value(at))
    else at.scope.assign(name, value(at))
  }
}

class ExpressionReader {
  readonly #tokens: readonly Token[]
  #next = 0
  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }
  readAll(): Expression {
    const value = this.#pipeline()
    const more = this.#tokens[this.#next]
    if (more) throw new TemplateError(`the template has an unexpected "${more.text}"`)
    return value
  }
  #isSign(text: string): boolean {
    const token = this.#tokens[this.#next]
    return token?.kind === 'sign' && token.text === text
  }
  #pipeline(): Expression {
    let value = this.#command()
    while (this.#isSign('|')) {
      this.#next++
      value = this.#command(value)
    }
    return value
  }
  /** A function call with its arguments, or a single value; `last` is the piped value. */
  #command(last?: Expression): Expression {
    const first = this.#tokens[this.#next]
    if (first?.kind !== 'name' || ['true', 'false', 'nil'].includes(first.text)) {
      const value = this.#operand()
      if (last) throw new TemplateError('the template pipes a value into something that is not a function')
      return value
    }
    this.#next++
    const values: Expression[] = []
    while (this.#next < this.#tokens.length && !this.#isSign('|') && !this.#isSign(')')) values.push(this.#operand())
    return callOf(first.text, last ? [...values, last] : values)
  }
  #operand(): Expression {
    const token = this.#tokens[this.#next++]
    if (token === undefined) throw new TemplateError('the template is missing a value')
    const start = this.#startOf(token)
    const fields: string[] = []
    for (;;) {
      const next = this.#tokens[this.#next]
      if (next?.kind !== 'field' || next.spaced) break
      fields.push(next.text.slice(1))
      this.#next++
    }
    return fields.length === 0
      ? start
      : at => fields.reduce((value, name) => fieldOf(value, name, at.requiresKeys), start(at))
  }
  #startOf(token: Token): Expression {
    switch (token.kind) {
      case 'string': {
        const text = stringValue(token.text)
        const value = token.text.startsWith("'") ? text.codePointAt(0) : text
        return () => value
      }
      case 'number':
        return () => Number(token.text)
      case 'variable':
        return ({ scope }) => scope.get(token.text)
      case 'field':
        return ({ dot, requiresKeys }) => fieldOf(dot, token.text.slice(1), requiresKeys)
      case 'name':
        if (token.text === 'true' || token.text === 'false') return () => token.text === 'true'
        if (token.text === 'nil') return () => undefined
        return callOf(token.text, [])
      default:
        return this.#bracketOrDot(token)
    }
  }
  #bracketOrDot({ text }: Token): Expression {
    if (text === '.') return ({ dot }) => dot
    if (text !== '(') throw new TemplateError(`the template has "${text}" where a value is expected`)
    const value = this.#pipeline()
    if (!this.#isSign(')')) throw new TemplateError('the template is missing a )')
    this.#next++
    return value
  }
}

function fieldOf(value: Value, name: string, isRequired: boolean): Value {
  if (isObject(value) && Object.hasOwn(value, name)) return value[name]
  if (isRequired) throw new Error(`the template names the field ${name}, which is missing`)
  if (value === undefined || value === null || isObject(value)) return undefined
  throw new Error(`the template selects the field ${name} of a ${typeName(value)}`)
}

function callOf(name: string, values: readonly Expression[]): Expression {
  // These two short-circuit, so they are not in `templateFunctions`.
  if (name === 'and' || name === 'or')
    return at => {
      let found: Value
      for (const value of values) {
        found = value(at)
        if (isTrue(found) === (name === 'or')) return found
      }
      return found
    }
  const call = Object.hasOwn(templateFunctions, name) ? templateFunctions[name] : undefined
  if (call === undefined)
    throw new TemplateError(
      `the template calls the unknown function "${name}"; supported are and, or, ${Object.keys(templateFunctions).join(', ')}`,
    )
  return at => call(...values.map(value => value(at)))
}

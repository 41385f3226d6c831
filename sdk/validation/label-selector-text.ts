import { badRequest } from '../resource/api-errors.js'
import {
  describeFieldErrors,
  type LabelOperator,
  labelKeyErrors,
  type Requirement,
  validateRequirement,
} from './selectors.js'

/** `end` closes every token list; `word` is a key, a value or one of the keywords in and notin. */
interface Token {
  readonly kind: 'word' | 'symbol' | 'end'
  readonly text: string
}
const symbols = new Set([')', ',', '!', '==', '=', '>', '<', '!=', '('])
const isSymbolCharacter = (c: string) => '=!(),><'.includes(c)
const isSpace = (c: string) => c === ' ' || c === '\t' || c === '\r' || c === '\n'

function tokenize(selector: string): Token[] {
  // A NUL ends the text: nothing after it counts.
  const text = selector.split('\0', 1)[0] ?? ''
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    const c = text[at] ?? ''
    if (isSpace(c)) at++
    else if (isSymbolCharacter(c)) {
      const two = text.slice(at, at + 2)
      const symbol = symbols.has(two) ? two : c
      tokens.push({ kind: 'symbol', text: symbol })
      at += symbol.length
    } else {
      const start = at
      while (at < text.length && !isSpace(text[at] ?? '') && !isSymbolCharacter(text[at] ?? '')) at++
      tokens.push({ kind: 'word', text: text.slice(start, at) })
    }
  }
  return [...tokens, { kind: 'end', text: '' }]
}

const operatorsOf = new Map<string, LabelOperator>([
  ['in', 'In'],
  ['notin', 'NotIn'],
  ['=', 'In'],
  ['==', 'In'],
  ['!=', 'NotIn'],
  ['>', 'Gt'],
  ['<', 'Lt'],
])

/** Reads the tokens of one selector from left to right. */
class Reader {
  readonly #tokens: readonly Token[]
  #at = 0
  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }
  peek(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: '' }
  }
  take(): Token {
    const token = this.peek()
    this.#at++
    return token
  }
  sees(symbol: string): boolean {
    return this.peek().kind === 'symbol' && this.peek().text === symbol
  }
  takes(symbol: string): boolean {
    const found = this.sees(symbol)
    if (found) this.#at++
    return found
  }
}

class SyntaxProblem extends Error {}
const expected = (found: Token, what: string) => new SyntaxProblem(`found '${found.text}', expected: ${what}`)

function readRequirement(reader: Reader): Requirement {
  const negated = reader.takes('!')
  const word = reader.take()
  if (word.kind !== 'word') throw expected(word, 'identifier')
  const key = word.text
  // A key that stands alone has no field path in the message, which Go prints as <nil>.
  failOn(labelKeyErrors(key, '<nil>'))
  const stands = reader.peek().kind === 'end' || reader.sees(',')
  if (stands || negated) {
    const requirement: Requirement = { key, operator: negated ? 'DoesNotExist' : 'Exists', values: [] }
    failOn(validateRequirement(requirement))
    return requirement
  }
  const sign = reader.take()
  const operator = operatorsOf.get(sign.text)
  if (operator === undefined) throw expected(sign, 'in, notin, =, ==, !=, gt, lt')
  const values = sign.kind === 'word' ? readValues(reader) : [readValue(reader)]
  const requirement: Requirement = { key, operator, values: [...new Set(values)].sort() }
  failOn(validateRequirement(requirement))
  return requirement
}

/** The value after `=`, `!=`, `<`, `>`; nothing at all is the empty value. */
function readValue(reader: Reader): string {
  if (reader.peek().kind === 'end' || reader.sees(',')) return ''
  const word = reader.take()
  if (word.kind !== 'word') throw expected(word, 'identifier')
  return word.text
}

/** `(x,y)`; a missing word beside a comma, or between the brackets, is the empty value. */
function readValues(reader: Reader): string[] {
  const open = reader.peek()
  if (!reader.takes('(')) throw new SyntaxProblem(`found '${open.text}' expected: '('`)
  if (reader.takes(')')) return ['']
  if (reader.peek().kind !== 'word' && !reader.sees(',')) throw expected(reader.peek(), "',', ')' or identifier")
  const values: string[] = []
  let afterComma = true
  for (;;) {
    if (reader.peek().kind === 'word') {
      values.push(reader.take().text)
      afterComma = false
      if (!reader.sees(',') && !reader.sees(')')) throw expected(reader.peek(), "',' or ')'")
    } else if (reader.takes(',')) {
      if (afterComma) values.push('')
      afterComma = true
    } else if (reader.takes(')')) return afterComma ? [...values, ''] : values
    else throw expected(reader.peek(), "',', or identifier")
  }
}

function failOn(errors: Parameters<typeof describeFieldErrors>[0]): void {
  if (errors.length > 0) throw new SyntaxProblem(describeFieldErrors(errors))
}

/**
 * Reads a label selector: `a=b`, `a==b`, `a!=b`, `a in (x,y)`, `a notin (x)`, `a`, `!a`, `a>1`, `a<1`, joined by commas.
 * The requirements come sorted by key. Text that does not parse throws a 400 ApiError.
 */
export function parseLabelSelector(selector: string): Requirement[] {
  const reader = new Reader(tokenize(selector))
  const requirements: Requirement[] = []
  while (reader.peek().kind !== 'end') {
    if (reader.peek().kind !== 'word' && !reader.sees('!'))
      throw badRequest(`found '${reader.peek().text}', expected: !, identifier, or 'end of string'`)
    try {
      requirements.push(readRequirement(reader))
    } catch (error) {
      if (error instanceof SyntaxProblem) throw badRequest(`unable to parse requirement: ${error.message}`)
      throw error
    }
    if (reader.peek().kind === 'end') break
    if (!reader.takes(',')) throw badRequest(`found '${reader.peek().text}', expected: ',' or 'end of string'`)
    if (reader.peek().kind !== 'word' && !reader.sees('!'))
      throw badRequest(`found '${reader.peek().text}', expected: identifier after ','`)
  }
  return requirements.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
}

import { celErrorOf } from './errors.js'
import { type Token, tokenize } from './tokens.js'

/** Reads the tokens of an expression one after the other. */
export class TokenReader {
  readonly #text: string
  readonly #tokens: readonly Token[]
  #next = 0

  constructor(text: string) {
    this.#text = text
    this.#tokens = tokenize(text)
  }

  get token(): Token {
    return this.#tokens[this.#next]!
  }
  /** The token after `count` others. */
  ahead(count: number): Token | undefined {
    return this.#tokens[this.#next + count]
  }
  take(): Token {
    return this.#tokens[this.#next++]!
  }
  skip(count: number): void {
    this.#next += count
  }
  is(symbol: string, ahead = 0): boolean {
    const token = this.ahead(ahead)
    return token?.kind === 'symbol' && token.text === symbol
  }
  accept(symbol: string): boolean {
    if (!this.is(symbol)) return false
    this.#next++
    return true
  }
  expect(symbol: string): Token {
    if (!this.is(symbol)) throw this.unexpected(`'${symbol}'`)
    return this.take()
  }
  unexpected(expected?: string): Error {
    const { text, at } = this.token
    return this.error(at, `Syntax error: mismatched input '${text}'${expected ? ` expecting ${expected}` : ''}`)
  }
  error(at: number, message: string): Error {
    return celErrorOf(this.#text, [{ at, message }])
  }
}

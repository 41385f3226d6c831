import type { SeededChoices } from './seeded-choices.js'

/** Generates a text that matches a part of a pattern. `repeats` is the maximum for unbounded repetitions. */
type Make = (choices: SeededChoices, repeats: number) => string

/**
 * A text that matches a regular expression (RE2), or undefined if none was found. RE2 has no look-arounds; for Unicode
 * classes only letters and digits are generated.
 */
export function textForPattern(
  pattern: string,
  choices: SeededChoices,
  { minLength = 0, maxLength = 256 }: { readonly minLength?: number; readonly maxLength?: number } = {},
): string | undefined {
  let make: Make
  try {
    make = new PatternReader(pattern).read()
  } catch {
    return undefined
  }
  const isMatch = testOf(pattern)
  for (let attempt = 0; attempt < attempts; attempt++) {
    // Short ones first, longer ones where a minimum asks for them.
    const repeats = attempt < attempts / 2 ? 1 + (attempt % 4) : Math.max(2, minLength)
    const text = make(choices, repeats)
    const padded = text.length < minLength && isMatch(text.padEnd(minLength, 'a')) ? text.padEnd(minLength, 'a') : text
    const length = [...padded].length
    if (length >= minLength && length <= maxLength && isMatch(padded)) return padded
  }
  return undefined
}
const attempts = 60

function testOf(pattern: string): (text: string) => boolean {
  try {
    const expression = new RegExp(pattern.replaceAll('(?i)', ''), pattern.includes('(?i)') ? 'iu' : 'u')
    return text => expression.test(text)
  } catch {
    // Syntax that only RE2 understands is assumed to be valid.
    return () => true
  }
}

const lower = 'abcdefghijklmnopqrstuvwxyz'
const digits = '0123456789'
const words = `${lower}${lower.toUpperCase()}${digits}_`
const printable = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join('')
const classes: Readonly<Record<string, string>> = {
  d: digits,
  D: lower,
  w: words,
  W: '-. ',
  s: ' ',
  S: lower,
  n: '\n',
  t: '\t',
  r: '\r',
}

class PatternReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  read(): Make {
    const made = this.#alternatives()
    if (this.#at < this.#text.length) throw new Error('an open parenthesis is missing')
    return made
  }

  #alternatives(): Make {
    const parts = [this.#sequence()]
    while (this.#take('|')) parts.push(this.#sequence())
    return parts.length === 1 ? parts[0]! : (choices, repeats) => choices.pick(parts)(choices, repeats)
  }

  #sequence(): Make {
    const parts: Make[] = []
    while (this.#at < this.#text.length && !'|)'.includes(this.#text[this.#at]!)) parts.push(this.#repeated())
    return (choices, repeats) => parts.map(part => part(choices, repeats)).join('')
  }

  #repeated(): Make {
    const part = this.#atom()
    const limits = this.#quantifier()
    if (!limits) return part
    const [least, most] = limits
    return (choices, repeats) => {
      const count = choices.between(least, Math.max(least, Math.min(most, least + repeats)))
      return Array.from({ length: count }, () => part(choices, repeats)).join('')
    }
  }

  #quantifier(): readonly [number, number] | undefined {
    const found = /^(?:[*+?]|\{(\d+)(,(\d*))?\})\??/.exec(this.#text.slice(this.#at, this.#at + 20))
    if (!found) return undefined
    this.#at += found[0].length
    const [text, least, comma, most] = found
    if (text.startsWith('*')) return [0, Number.POSITIVE_INFINITY]
    if (text.startsWith('+')) return [1, Number.POSITIVE_INFINITY]
    if (text.startsWith('?')) return [0, 1]
    const first = Number(least)
    return [first, comma === undefined ? first : most === '' ? Number.POSITIVE_INFINITY : Number(most)]
  }

  #atom(): Make {
    const character = this.#next()
    switch (character) {
      case '^':
      case '$':
        return () => ''
      case '.':
        return oneOf(lower)
      case '(': {
        if (this.#takeFlags()) return () => ''
        this.#skipGroupPrefix()
        const inside = this.#alternatives()
        if (!this.#take(')')) throw new Error('a closing parenthesis is missing')
        return inside
      }
      case '[':
        return this.#characterClass()
      case '\\':
        return this.#escape()
      default:
        return () => character
    }
  }

  /** Flags for what follows, such as `(?i)`. */
  #takeFlags(): boolean {
    const found = /^\?[a-zA-Z-]+\)/.exec(this.#text.slice(this.#at, this.#at + 20))
    this.#at += found?.[0].length ?? 0
    return found !== null
  }
  #skipGroupPrefix(): void {
    const found = /^\?(?:P?<[^>]*>|[a-zA-Z-]*:)/.exec(this.#text.slice(this.#at, this.#at + 60))
    if (found) this.#at += found[0].length
  }

  #escape(): Make {
    const letter = this.#next()
    if (letter === 'p' || letter === 'P') {
      this.#unicodeClass()
      return oneOf(lower)
    }
    if ('bBAzZ'.includes(letter)) return () => ''
    if (letter === 'x') return this.#hexadecimal()
    return Object.hasOwn(classes, letter) ? oneOf(classes[letter]!) : () => letter
  }
  #hexadecimal(): Make {
    const found = /^(?:\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{2}))/.exec(this.#text.slice(this.#at, this.#at + 12))
    this.#at += found?.[0].length ?? 0
    const character = String.fromCodePoint(Number.parseInt(found?.[1] ?? found?.[2] ?? '61', 16))
    return () => character
  }
  #unicodeClass(): void {
    if (this.#take('{')) while (this.#at < this.#text.length && this.#next() !== '}');
    else this.#at++
  }

  #characterClass(): Make {
    const isNegated = this.#take('^')
    let members = ''
    let isFirst = true
    for (;;) {
      const character = this.#next()
      if (character === ']' && !isFirst) break
      isFirst = false
      members += this.#member(character)
    }
    const named = new Set(members)
    if (!isNegated) return oneOf(members)
    return oneOf([...`${lower}${digits}${printable}`].filter(each => !named.has(each)).join('') || 'é')
  }

  /** The characters of a range, a class or a single member. */
  #member(first: string): string {
    if (first === '[' && this.#text[this.#at] === ':') {
      const end = this.#text.indexOf(':]', this.#at)
      const name = this.#text.slice(this.#at + 1, end)
      this.#at = end + 2
      return named[name] ?? lower
    }
    let from = first
    if (first === '\\') {
      const letter = this.#next()
      if (Object.hasOwn(classes, letter)) return classes[letter]!
      if (letter === 'p' || letter === 'P') {
        this.#unicodeClass()
        return lower
      }
      from = letter
    }
    if (this.#text[this.#at] !== '-' || this.#text[this.#at + 1] === ']') return from
    this.#at++
    let to = this.#next()
    if (to === '\\') to = this.#next()
    const [start, end] = [from.codePointAt(0)!, to.codePointAt(0)!]
    const count = Math.min(end - start + 1, maxRange)
    return Array.from({ length: Math.max(0, count) }, (_, at) => String.fromCodePoint(start + at)).join('')
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at++
    return true
  }
  #next(): string {
    const character = this.#text[this.#at++]
    if (character === undefined) throw new Error('the pattern ends too early')
    return character
  }
}
const maxRange = 200
const named: Readonly<Record<string, string>> = {
  alnum: `${lower}${lower.toUpperCase()}${digits}`,
  alpha: `${lower}${lower.toUpperCase()}`,
  digit: digits,
  lower,
  upper: lower.toUpperCase(),
  space: ' ',
  word: words,
  xdigit: `${digits}abcdef`,
  punct: '.-_',
}

const oneOf = (members: string): Make => {
  const all = [...members]
  if (all.length === 0) throw new Error('a class without members')
  // Letters and digits before what may have a meaning elsewhere.
  const plain = all.filter(each => /[a-z0-9]/i.test(each))
  return choices => choices.pick(plain.length > 0 && choices.chance(0.9) ? plain : all)
}

import { isObject, substitute, type Variables } from './json-paths.js'
import { readWildcard, type Wildcard } from './wildcards.js'

/** Compares the responses of one scenario with expectations, and keeps the values of its symbols. */
export class Comparison {
  readonly #variables: Variables
  readonly #valueOfSymbol = new Map<string, unknown>()
  readonly #symbolOfValue = new Map<string, string>()
  /** How many values were compared. */
  compared = 0

  constructor(variables: Variables) {
    this.#variables = variables
  }

  /** The first difference, or undefined. A missing or an extra field is a difference; arrays are ordered. */
  difference(expected: unknown, actual: unknown, at: string): string | undefined {
    this.compared++
    if (typeof expected === 'string') return this.#differentText(expected, actual, at)
    if (Array.isArray(expected)) return this.#differentList(expected, actual, at)
    if (isObject(expected)) return this.#differentObject(expected, actual, at)
    return expected === actual ? undefined : `${at}: expected ${show(expected)}, got ${show(actual)}`
  }

  #differentText(expected: string, actual: unknown, at: string): string | undefined {
    const wildcard = readWildcard(expected)
    if (wildcard) return this.#differentWildcard(expected, wildcard, actual, at)
    const wanted = substitute(expected, this.#variables)
    return wanted === actual ? undefined : `${at}: expected ${show(wanted)}, got ${show(actual)}`
  }

  #differentWildcard(expected: string, wildcard: Wildcard, actual: unknown, at: string): string | undefined {
    if (!wildcard.accepts(actual, substitute(wildcard.argument ?? '', this.#variables)))
      return `${at}: expected ${expected}, got ${show(actual)}`
    if (wildcard.symbolSpace === undefined) return undefined
    const bound = this.#valueOfSymbol.get(expected)
    if (bound !== undefined)
      return bound === actual ? undefined : `${at}: ${expected} was ${bound}, now ${show(actual)}`
    const inSpace = `${wildcard.symbolSpace}${actual}`
    const other = this.#symbolOfValue.get(inSpace)
    if (other !== undefined && other !== expected) return `${at}: ${expected} has the value already seen as ${other}`
    this.#valueOfSymbol.set(expected, actual)
    this.#symbolOfValue.set(inSpace, expected)
    return undefined
  }

  #differentList(expected: readonly unknown[], actual: unknown, at: string): string | undefined {
    if (!Array.isArray(actual)) return `${at}: expected an array, got ${show(actual)}`
    for (let index = 0; index < Math.min(expected.length, actual.length); index++) {
      const difference = this.difference(expected[index], actual[index], `${at}[${index}]`)
      if (difference) return difference
    }
    if (expected.length === actual.length) return undefined
    const example =
      actual.length > expected.length
        ? `extra ${show(actual[expected.length])}`
        : `missing ${show(expected[actual.length])}`
    return `${at}: expected ${expected.length} entries, got ${actual.length}: ${example}`
  }

  #differentObject(expected: Record<string, unknown>, actual: unknown, at: string): string | undefined {
    if (!isObject(actual)) return `${at}: expected an object, got ${show(actual)}`
    const known = new Set<string>()
    for (const [key, value] of Object.entries(expected)) {
      const name = substitute(key, this.#variables)
      known.add(name)
      if (!Object.hasOwn(actual, name)) return `${at}.${name}: missing (expected ${show(value)})`
      const difference = this.difference(value, actual[name], `${at}.${name}`)
      if (difference) return difference
    }
    const extra = Object.keys(actual).find(key => !known.has(key))
    return extra === undefined ? undefined : `${at}.${extra}: unexpected ${show(actual[extra])}`
  }
}

const longestShown = 160
function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text
}

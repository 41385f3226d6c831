import { isObject, substitute, type Variables } from '../golden/json-paths.js'
import { readWildcard } from '../golden/wildcards.js'

/** Where and how two answers differ. */
export interface Difference {
  /** `status`, `response.reason`, `$.spec.replicas`. */
  readonly at: string
  readonly kind: 'status' | 'missing' | 'unexpected' | 'value' | 'length'
  /** What the reference answered, with wildcards. */
  readonly expected: unknown
  readonly actual: unknown
  /** What the servers said about it, where the status differs. */
  readonly messages?: string
}

/** Compares answers through one conversation: all differences of each, not only the first. */
export class AnswerComparison {
  readonly #variables: Variables
  readonly #valueOfSymbol = new Map<string, unknown>()
  readonly #symbolOfValue = new Map<string, string>()

  constructor(variables: Variables) {
    this.#variables = variables
  }

  differences(expected: unknown, actual: unknown, at: string): Difference[] {
    if (typeof expected === 'string') return this.#inText(expected, actual, at)
    if (Array.isArray(expected)) return this.#inList(expected, actual, at)
    if (isObject(expected)) return this.#inObject(expected, actual, at)
    return expected === actual ? [] : [{ at, kind: 'value', expected, actual }]
  }

  #inText(expected: string, actual: unknown, at: string): Difference[] {
    const differs: Difference[] = [{ at, kind: 'value', expected, actual }]
    const wildcard = readWildcard(expected)
    if (!wildcard) return substitute(expected, this.#variables) === actual ? [] : differs
    if (!wildcard.accepts(actual, substitute(wildcard.argument ?? '', this.#variables))) return differs
    if (wildcard.symbolSpace === undefined) return []
    const bound = this.#valueOfSymbol.get(expected)
    if (bound !== undefined) return bound === actual ? [] : differs
    const value = `${wildcard.symbolSpace}${actual}`
    if (this.#symbolOfValue.has(value)) return differs
    this.#valueOfSymbol.set(expected, actual)
    this.#symbolOfValue.set(value, expected)
    return []
  }

  #inList(expected: readonly unknown[], actual: unknown, at: string): Difference[] {
    if (!Array.isArray(actual)) return [{ at, kind: 'value', expected, actual }]
    if (expected.length !== actual.length) return [{ at, kind: 'length', expected, actual }]
    return expected.flatMap((item, index) => this.differences(item, actual[index], `${at}[${index}]`))
  }

  #inObject(expected: Record<string, unknown>, actual: unknown, at: string): Difference[] {
    if (!isObject(actual)) return [{ at, kind: 'value', expected, actual }]
    const known = new Set<string>()
    const differences = Object.entries(expected).flatMap(([key, value]): Difference[] => {
      const name = substitute(key, this.#variables)
      known.add(name)
      if (!Object.hasOwn(actual, name))
        return [{ at: `${at}.${name}`, kind: 'missing', expected: value, actual: undefined }]
      return this.differences(value, actual[name], `${at}.${name}`)
    })
    const extra = Object.keys(actual).filter(key => !known.has(key))
    return [
      ...differences,
      ...extra.map(
        (key): Difference => ({ at: `${at}.${key}`, kind: 'unexpected', expected: undefined, actual: actual[key] }),
      ),
    ]
  }
}

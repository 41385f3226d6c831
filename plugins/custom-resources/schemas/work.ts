/**
 * How much work one validation may be. Branches and items, patterns and texts, enums and items multiply, so none of them alone bounds
 * the time that a validation takes; the work that is counted here does. A unit is about what a regular expression needs for one
 * instruction and one character at worst, some 25 ns.
 */
export class Work {
  readonly limit: number
  #left: number

  constructor(limit: number) {
    this.limit = limit
    this.#left = limit
  }

  /** Counts work before it is done. Throws when there is more of it than allowed. */
  charge(units: number, path: string): void {
    this.#left -= units
    if (this.#left < 0) throw new WorkExceeded(path, this.limit)
  }
}

/** There was more work than allowed; `field` is where it ran out. */
export class WorkExceeded extends Error {
  readonly field: string
  readonly limit: number

  constructor(field: string, limit: number) {
    super(`validation takes more than ${limit} units of work`)
    this.field = field
    this.limit = limit
  }
}

/** What is done at once: 25 ms at worst. The rest is left to a thread. */
export const workAtOnce = 1_000_000
/** What one validation may take in all, unless the operator says otherwise. */
export const defaultMaxWork = 1_000_000_000

/** Costs that recur, in units. */
export const costs = {
  /** Calling the check of a value. */
  visit: 4,
  /** Making the path of an item. */
  indexedPath: 4,
  /** Making an error. */
  error: 20,
  /** Comparing a text with a format, for each character. */
  formatCharacter: 4,
  /** Writing a value in a form that can be compared, for each character. */
  canonicalCharacter: 4,
  /** Looking at apiVersion, kind and metadata of an object inside another. */
  embeddedObject: 60,
  /** Compiling one instruction of a regular expression. */
  patternInstruction: 500,
  /** Compiling the check of one field. */
  compiledField: 60,
} as const

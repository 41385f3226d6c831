/**
 * Limits the work of one validation. Branches and items, patterns and strings, enums and items multiply, so a limit on
 * one of them alone does not bound the time of a validation. A unit is about the time of a regular expression for one
 * instruction and one character at worst, some 25 ns.
 */
export class Work {
  readonly limit: number
  #left: number

  constructor(limit: number) {
    this.limit = limit
    this.#left = limit
  }

  /** Counts work before it is done. Throws when the limit is exceeded. */
  charge(units: number, path: string): void {
    this.#left -= units
    if (this.#left < 0) throw new WorkExceeded(path, this.limit)
  }
}

/** The work limit was exceeded at `field`. */
export class WorkExceeded extends Error {
  readonly field: string
  readonly limit: number

  constructor(field: string, limit: number) {
    super(`validation takes more than ${limit} units of work`)
    this.field = field
    this.limit = limit
  }
}

/** The limit on the event loop, 25 ms at worst. Beyond it the thread takes over. */
export const workAtOnce = 1_000_000
/** The default limit of one validation. */
export const defaultMaxWork = 1_000_000_000

/** Costs in units. */
export const costs = {
  /** Calling the check of a value. */
  visit: 4,
  /** Making the path of an item. */
  indexedPath: 4,
  /** Making an error. */
  error: 20,
  /** Checking a format, for each character. */
  formatCharacter: 4,
  /** Serializing a value canonically, for each character. */
  canonicalCharacter: 4,
  /** Validating apiVersion, kind and metadata of an embedded object. */
  embeddedObject: 60,
  /** Compiling one instruction of a regular expression. */
  patternInstruction: 500,
  /** Compiling the check of one field. */
  compiledField: 60,
} as const

import { type Library, type Overload, readOverload } from './functions/overload.js'
import type { Type } from './types/cel-types.js'

/** The functions that expressions may call, with their overloads. */
export class FunctionTable {
  readonly #functions = new Map<string, Overload[]>()
  /** Types of libraries that expressions can name: `type(x) == net.IP`. */
  readonly types = new Map<string, Type>()

  /** The functions of the libraries available in version `1.minor`; all of them without a version. */
  constructor(libraries: readonly Library[], minor = Number.POSITIVE_INFINITY) {
    for (const { since, functions, types = {} } of libraries) {
      if (since > minor) continue
      for (const type of Object.values(types)) if (type.kind === 'opaque') this.types.set(type.name, type)
      for (const [name, overloads] of Object.entries(functions)) {
        const known = this.#functions.get(name) ?? []
        for (const [id, source] of Object.entries(overloads)) known.push(readOverload(id, source, types))
        this.#functions.set(name, known)
      }
    }
  }

  overloads(name: string): readonly Overload[] | undefined {
    return this.#functions.get(name)
  }

  /** All functions, for tests that try each of them. */
  [Symbol.iterator](): IterableIterator<[string, readonly Overload[]]> {
    return this.#functions.entries()
  }
}

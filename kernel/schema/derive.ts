/** A function that makes something when it is first called, and then gives it out again. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** A thing that keeps what is derived from it. */
export interface Derivable {
  derived?: Map<unknown, unknown>
}

/**
 * What `make` derives from a thing, made when it is first asked for and kept with the thing. `key` tells derivations apart that
 * one place makes several of.
 */
export function derive<S extends Derivable, T>(source: S, make: (source: S) => T, key: unknown = make): T {
  const derived = (source.derived ??= new Map())
  let made = derived.get(key) as T | undefined
  if (made === undefined) derived.set(key, (made = make(source)))
  return made
}

/** Remembers what a function of a text gave, for so many texts; past that it starts afresh. Undefined is not remembered. */
export function memoize<T>(compute: (text: string) => T, maxTexts: number): (text: string) => T {
  const known = new Map<string, T>()
  return text => {
    let result = known.get(text)
    if (result === undefined) {
      result = compute(text)
      if (known.size >= maxTexts) known.clear()
      if (result !== undefined) known.set(text, result)
    }
    return result
  }
}

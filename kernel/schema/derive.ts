/** A function that computes its value on the first call and returns the same one afterwards. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Like `once`, for work that can fail: after a failure, the next call tries again. */
export function onceSucceeded<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    if (made !== undefined) return made
    const current = make()
    made = current
    current.catch(() => {
      if (made === current) made = undefined
    })
    return current
  }
}

/** A value that caches what is derived from it. */
export interface Derivable {
  derived?: Map<unknown, unknown>
}

/**
 * The value that `make` derives from a source, computed on first use and cached with the source. `key` distinguishes derivations
 * whose `make` is a new function each time.
 */
export function derive<S extends Derivable, T>(source: S, make: (source: S) => T, key: unknown = make): T {
  const derived = (source.derived ??= new Map())
  let made = derived.get(key) as T | undefined
  if (made === undefined) derived.set(key, (made = make(source)))
  return made
}

/** Caches the results of a function of a text. When `maxTexts` is reached, the cache is cleared. Undefined is not cached. */
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

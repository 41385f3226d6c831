/**
 * Creates a value from the files that options name, on first use. A start task uses it before requests arrive, so that
 * a missing or invalid file stops the start with a message instead of failing every request.
 */
export function readOnce<A extends readonly unknown[], T>(read: (...given: A) => T): (...given: A) => T {
  let made: { readonly value: T } | undefined
  return (...given) => (made ??= { value: read(...given) }).value
}

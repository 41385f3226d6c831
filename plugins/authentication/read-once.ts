/**
 * Something made from the files that options name, on first use. A start task asks for it before requests come, so that a
 * file that is missing or wrong stops the start with a message instead of failing request by request.
 */
export function readOnce<A extends readonly unknown[], T>(read: (...given: A) => T): (...given: A) => T {
  let made: { readonly value: T } | undefined
  return (...given) => (made ??= { value: read(...given) }).value
}

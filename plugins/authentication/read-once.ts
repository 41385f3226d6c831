/**
 * Something made from the options' files on first use. A start task asks for it before requests come, so that a file that
 * is missing or wrong stops the start with a message instead of failing request by request.
 */
export function readOnce<T>(read: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: read() }).value
}

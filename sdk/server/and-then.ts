/**
 * For what is usually there at once and is sometimes a promise. Code that continues in the same tick answers most requests in the
 * tick in which they arrived (`npm run bench -- --only 'get*'`); an `await` would cost a turn each.
 */
export const isPromise = <T>(value: T | Promise<T>): value is Promise<T> => value instanceof Promise

/** Continues with a value, synchronously when it is there. `failed` is for a promise that rejects. */
export function andThen<T, R>(
  value: T | Promise<T>,
  next: (value: T) => R | Promise<R>,
  failed?: (thrown: unknown) => R | Promise<R>,
): R | Promise<R> {
  return value instanceof Promise ? value.then(next, failed) : next(value)
}

/**
 * For values that are usually available at once and are sometimes promises. Code that continues in the same tick answers most
 * requests in the tick in which they arrived. With a promise each time, a get takes 7 % more CPU and a create 4 %
 * (`npm run bench:compare -- --only get-c64,create-c64`).
 */
export const isPromise = <T>(value: T | Promise<T>): value is Promise<T> => value instanceof Promise

/** Continues with a value, synchronously if it is not a promise. `failed` is called if a promise rejects. */
export function andThen<T, R>(
  value: T | Promise<T>,
  next: (value: T) => R | Promise<R>,
  failed?: (thrown: unknown) => R | Promise<R>,
): R | Promise<R> {
  return value instanceof Promise ? value.then(next, failed) : next(value)
}

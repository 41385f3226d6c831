/** Continues synchronously when the value is already there: most requests then complete in the tick in which they arrived (`npm run bench -- --only 'get*'`). */
export function then<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}

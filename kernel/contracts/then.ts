/** Goes on at once with an answer that is there already: most requests then never leave the tick they came in. */
export function then<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}

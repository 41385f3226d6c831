import { Failure } from '../../cel/index.js'

/** Whether parsing succeeds. For functions such as `isQuantity`, which return false instead of failing. */
export function parses(parse: () => unknown): boolean {
  try {
    parse()
    return true
  } catch (thrown) {
    if (thrown instanceof Failure) return false
    throw thrown
  }
}

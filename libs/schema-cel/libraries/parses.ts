import { Failure } from '../../cel/index.js'

/** Does parsing succeed? For functions such as `isQuantity`: a failure to parse is their answer, not an error. */
export function parses(parse: () => unknown): boolean {
  try {
    parse()
    return true
  } catch (thrown) {
    if (thrown instanceof Failure) return false
    throw thrown
  }
}

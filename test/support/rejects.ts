import * as assert from 'uvu/assert'

/**
 * Asserts that a promise is rejected, and returns the error. uvu's `throws` is synchronous only.
 * `expected` is matched against the message.
 */
export async function rejects(work: Promise<unknown> | (() => Promise<unknown>), expected?: RegExp): Promise<Error> {
  try {
    await (typeof work === 'function' ? work() : work)
  } catch (error) {
    assert.instance(error, Error)
    if (expected) assert.match((error as Error).message, expected)
    return error as Error
  }
  return assert.unreachable('expected a rejection') as never
}

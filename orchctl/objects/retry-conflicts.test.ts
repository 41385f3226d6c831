import { ApiError } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { retryConflicts } from './retry-conflicts.js'

const retries = suite('changes that others came before')

/** A change that fails so many times before it succeeds. */
function failing(times: number, error: Error) {
  const state = { tries: 0 }
  const change = async () => {
    if (state.tries++ < times) throw error
    return state.tries
  }
  return { state, change }
}
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

retries('are repeated, five times at most', async () => {
  const conflict = new ApiError(409, 'Conflict', 'the object has been modified')
  assert.is(await retryConflicts(failing(4, conflict).change), 5)
  const { state, change } = failing(9, conflict)
  assert.is(await failure(retryConflicts(change)), conflict)
  assert.is(state.tries, 5)
})

retries('are not repeated for another reason', async () => {
  const forbidden = new ApiError(403, 'Forbidden', 'no')
  const { state, change } = failing(1, forbidden)
  assert.is(await failure(retryConflicts(change)), forbidden)
  assert.is(state.tries, 1)
})

retries.run()

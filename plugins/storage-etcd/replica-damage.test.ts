import { CompactedError, type Revision, StorageError, type StoreEvent, type StoreReplica } from 'orch/sdk/host'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { historyOf, isDamage } from './replica-damage.js'

const damage = suite('a replica that turns out to be corrupt')

const event = (revision: Revision) => ({ revision }) as StoreEvent
/** Returns some events of the history, and then fails. */
const failing = (revisions: readonly Revision[], error: Error) =>
  ({
    *history() {
      yield* revisions.map(event)
      throw error
    },
  }) as unknown as StoreReplica

async function told(replica: StoreReplica): Promise<{ revisions: Revision[]; damages: number }> {
  const revisions: Revision[] = []
  let damages = 0
  async function* others(from: Revision) {
    for (let revision = from + 1; revision <= 5; revision++) yield event(revision)
  }
  for await (const { revision } of historyOf(replica, ['', 0, 5], () => damages++, others)) revisions.push(revision)
  return { revisions, damages }
}

damage('returns the history that it can read, and the rest comes from elsewhere, each event once', async () => {
  const failures = [
    new StorageError('corrupt', 'wrong'),
    new Error('the object written at revision 3 is not in the store'),
    new Error('log entry of unknown type 85'),
    new RangeError('Attempt to access memory outside buffer bounds'),
  ]
  for (const error of failures)
    assert.equal(await told(failing([1, 2], error)), { revisions: [1, 2, 3, 4, 5], damages: 1 }, error.message)
})

damage('is not reported for errors that have other causes', async () => {
  for (const error of [new CompactedError(3), new StorageError('unavailable', 'closed'), new Error('other')]) {
    assert.not(isDamage(error))
    assert.is(await told(failing([1], error)).catch((thrown: unknown) => thrown), error)
  }
})

damage.run()

import {
  type ListChunk,
  type ListPage,
  type Revision,
  StorageError,
  type StoreEvent,
  type StoreReplica,
} from 'orch/sdk/host'

const ofDamage = /MDB_|is not in the (?:log|store)|entry of unknown type|Zero length key/

/** Whether an error means that the replica is corrupt, not merely that the request cannot be served. */
export const isDamage = (error: unknown): boolean =>
  error instanceof StorageError
    ? error.kind === 'corrupt'
    : // A corrupt length or offset.
      error instanceof RangeError || (error instanceof Error && ofDamage.test(error.message))

/** Reads history from a replica; if that turns out to be corrupt, the rest comes from elsewhere. */
export async function* historyOf(
  replica: StoreReplica,
  [prefix, from, to]: readonly [string, Revision, Revision],
  damaged: (error: unknown) => void,
  others: (from: Revision) => AsyncIterable<StoreEvent>,
): AsyncGenerator<StoreEvent, void> {
  let told = from
  try {
    for (const event of replica.history(prefix, from, to)) {
      yield event
      told = event.revision
    }
    return
  } catch (error) {
    if (!isDamage(error)) throw error
    damaged(error)
  }
  yield* others(told)
}

/** The items of a list. A failure is reported before it is rethrown. */
export async function* telling(
  items: ListPage['items'],
  failed: (error: unknown) => void,
): AsyncGenerator<ListChunk, void> {
  try {
    yield* items
  } catch (error) {
    failed(error)
    throw error
  }
}

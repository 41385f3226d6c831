import {
  type ListChunk,
  type ListPage,
  type Revision,
  StorageError,
  type StoreEvent,
  type StoreReplica,
} from 'orch/sdk/host'

const ofDamage = /MDB_|is not in the (?:log|store)|entry of unknown type|Zero length key/

/** Whether an error of a replica says that it is wrong, and not only that what was asked for cannot be had. */
export const isDamage = (error: unknown): boolean =>
  error instanceof StorageError
    ? error.kind === 'corrupt'
    : // Numbers that lead beyond a value.
      error instanceof RangeError || (error instanceof Error && ofDamage.test(error.message))

/** What a replica tells of the past; if it turns out to be damaged, others tell the rest. */
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

/** The items of a list, whose failure is told to somebody. */
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

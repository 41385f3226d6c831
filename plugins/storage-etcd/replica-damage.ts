import { type ListChunk, type ListPage, StorageError } from 'orch/sdk/host'

/** Whether an error of a replica says that it is wrong, and not only that what was asked for cannot be had. */
export const isDamage = (error: unknown): boolean =>
  error instanceof StorageError
    ? error.kind === 'corrupt'
    : error instanceof Error && /MDB_|is not in the (?:log|store)/.test(error.message)

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

import { type Revision, StorageError } from 'orch/sdk/host'
import type { Connection } from './connection.js'
import type { KeyLayout } from './key-layout.js'
import { WatchCompacted, watchBatches } from './watch-batches.js'

/** etcd reports its compacted revision only to a watch that starts before it. */
export async function findCompacted(connection: Connection, layout: KeyLayout): Promise<Revision> {
  const range = { start: layout.mark, end: Buffer.concat([layout.mark, Buffer.of(0)]) }
  const abort = new AbortController()
  try {
    for await (const _ of watchBatches(connection, range, 1, abort.signal)) break
  } catch (error) {
    if (error instanceof WatchCompacted) return error.compacted
    throw error
  } finally {
    abort.abort()
  }
  throw new StorageError('unavailable', 'etcd did not return its compacted revision')
}

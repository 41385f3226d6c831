import { type Revision, StorageError, type Store } from 'orch/sdk'
import type { ExportRecord } from './export-format.js'
import type { Progress } from './export-store.js'
import type { ExportReading } from './read-export.js'

export interface ImportResult {
  readonly count: number
  /** The newest revision now: later than any that clients of the exported store know. */
  readonly revision: Revision
}

const writesAtOnce = 64

/** Puts everything into an empty store. Objects keep their uids and get versions after those they had. */
export async function importStore(store: Store, reading: ExportReading, progress: Progress): Promise<ImportResult> {
  const { header, records } = reading
  if ((await store.count('')) > 0) {
    throw new StorageError('unavailable', 'the store is not empty: import into a new one')
  }
  await store.advanceTo(header.revision)
  const source = records[Symbol.asyncIterator]()
  let done = 0
  let isOver = false
  const writeOn = async () => {
    while (!isOver) {
      const next = await source.next()
      if (next.done) break
      await write(store, next.value)
      progress(++done, header.count)
    }
  }
  try {
    await Promise.all(Array.from({ length: writesAtOnce }, writeOn))
  } finally {
    isOver = true
  }
  return { count: done, revision: await store.latestRevision() }
}

async function write(store: Store, { key, body, attributes }: ExportRecord): Promise<void> {
  const result = await store.write({ key, body, attributes, expect: 0 })
  if (!result.ok) throw new StorageError('unavailable', `${key} is in the store already: somebody else writes to it`)
}

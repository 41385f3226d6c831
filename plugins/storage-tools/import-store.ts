import {
  changeContents,
  contentsKey,
  parseContents,
  type Revision,
  readContents,
  requireKnownFormat,
  StorageError,
  type Store,
  storeFormat,
} from 'orch/sdk/host'
import type { ExportRecord } from './export-format.js'
import type { Progress } from './export-store.js'
import type { ExportReading } from './read-export.js'

export interface ImportResult {
  readonly count: number
  /** The newest revision, which is later than any that clients of the exported store have seen. */
  readonly revision: Revision
}

const maxConcurrentWrites = 64
const unfinished = 'import'

/**
 * Imports into an empty store. Objects keep their uids and get later versions. Until it is complete the store is marked as unfinished,
 * and no server starts on it; an interrupted import is repeated from the beginning.
 */
export async function importStore(
  store: Store,
  reading: ExportReading,
  progress: Progress,
  at: (step: string) => void = () => {},
): Promise<ImportResult> {
  const { header, records } = reading
  await beginIn(store)
  at('the store says that it is not complete')
  await store.advanceTo(header.revision)
  const source = records[Symbol.asyncIterator]()
  let contents: ExportRecord | undefined
  let done = 0
  let isOver = false
  const writeOn = async () => {
    while (!isOver) {
      const next = await source.next()
      if (next.done) break
      checkRecord(next.value)
      if (next.value.key === contentsKey) contents = next.value
      else await write(store, next.value)
      progress(++done, header.count)
      at(done === 1 ? 'the first object is written' : 'an object is written')
    }
  }
  try {
    await Promise.all(Array.from({ length: maxConcurrentWrites }, writeOn))
  } finally {
    isOver = true
  }
  // Clients of the exported store may have seen later revisions: none of them may resume a watch in the middle of the import.
  await store.advanceTo(await store.latestRevision())
  // The contents record of the exported store; an old store has none.
  await store.write({ key: contentsKey, body: contents?.body })
  at('the store is complete')
  return { count: done, revision: await store.latestRevision() }
}

async function beginIn(store: Store): Promise<void> {
  const { contents } = await readContents(store)
  if (contents?.unfinished === unfinished) return await removeAll(store)
  if ((await store.count('')) > 0) {
    throw new StorageError('unavailable', 'the store is not empty: import into a new one')
  }
  await changeContents(store, () => ({ format: storeFormat, vendor: '', unfinished, collections: {} }))
}

/** Removes the objects of an interrupted import. */
async function removeAll(store: Store): Promise<void> {
  const page = await store.list({ prefix: '', keys: true })
  for await (const { keys = [] } of page.items) {
    const waiting = keys.filter(key => key !== contentsKey)
    const removeOn = async () => {
      for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) await store.write({ key, body: undefined })
    }
    await Promise.all(Array.from({ length: maxConcurrentWrites }, removeOn))
  }
}

/** Rejects an export of a later version, which its contents record names. */
export function checkRecord({ key, body }: ExportRecord): void {
  if (key === contentsKey) requireKnownFormat(parseContents(body))
}

async function write(store: Store, { key, body, attributes }: ExportRecord): Promise<void> {
  const result = await store.write({ key, body, attributes, expect: 0 })
  if (!result.ok) throw new StorageError('unavailable', `${key} is in the store already: another process writes to it`)
}

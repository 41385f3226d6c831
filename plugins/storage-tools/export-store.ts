import { createHash } from 'node:crypto'
import { createWriteStream, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  type AtStep,
  CompactedError,
  type ListPage,
  moveDurably,
  type Revision,
  StorageError,
  type Store,
  unfinishedIn,
  withoutVersion,
} from 'orch/sdk/host'
import { encodeHeader, encodeRecord, encodeTrailer } from './export-format.js'

/** The state to export: the newest, or that of a revision whose history the store still has. */
export interface ExportPoint {
  readonly revision?: Revision
}
export type Progress = (done: number, all: number) => void
export interface ExportResult {
  readonly revision: Revision
  readonly count: number
}

/** Yields a consistent snapshot of the store in pieces. Servers may keep running. */
export async function* exportStore(
  store: Store,
  progress: Progress,
  point: ExportPoint = {},
): AsyncGenerator<Buffer, ExportResult> {
  const { revision, count } = await countAll(store, point)
  // The imported store must continue after every revision that clients have seen, also when an earlier state is exported.
  const seen = point.revision === undefined ? revision : await store.latestRevision()
  const hash = createHash('sha256')
  const header = Buffer.from(encodeHeader({ revision: seen, count }))
  hash.update(header)
  yield header
  // The store returns attributes only of unusual objects, so none is declared usual.
  const page = await store.list({ prefix: '', revision, keys: true, isUsual: () => false })
  let done = 0
  for await (const { joined, offsets, keys = [], otherAttributes } of page.items) {
    const lines = offsets.map((offset, index) => {
      const end = (offsets[index + 1] ?? joined.length + 1) - 1
      const { modRevision, body } = withoutVersion(joined.subarray(offset, end))
      return encodeRecord({ key: keys[index]!, modRevision, attributes: otherAttributes!.get(index)!, body })
    })
    const piece = Buffer.concat(lines)
    hash.update(piece)
    yield piece
    done += offsets.length
    progress(done, count)
  }
  yield Buffer.from(encodeTrailer({ count: done, sha256: hash.digest('hex') }))
  return { revision, count: done }
}

/** Writes an export to a stream, and ends it. */
export async function writeExport(
  store: Store,
  target: Writable,
  progress: Progress,
  point?: ExportPoint,
): Promise<ExportResult> {
  let result: ExportResult = { revision: 0, count: 0 }
  await pipeline(async function* () {
    result = yield* exportStore(store, progress, point)
  }, target)
  return result
}

/** Writes an export to a file atomically. */
export async function exportToFile(
  store: Store,
  file: string,
  progress: Progress,
  at: AtStep = () => {},
  point?: ExportPoint,
): Promise<ExportResult> {
  // Under another name until it is complete.
  const partial = unfinishedIn(dirname(resolve(file)))
  try {
    const told: Progress = (done, all) => {
      at('some of the export is written')
      progress(done, all)
    }
    const result = await writeExport(store, createWriteStream(partial, { mode: 0o600 }), told, point)
    at('the export is written')
    moveDurably(partial, resolve(file))
    at('the export is in place')
    return result
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
}

async function listFirst(store: Store, revision: Revision | undefined): Promise<ListPage> {
  try {
    return await store.list({ prefix: '', limit: 1, ...(revision === undefined ? {} : { revision }) })
  } catch (error) {
    if (!(error instanceof CompactedError)) throw error
    const why = `revision ${revision} has been compacted: the oldest is ${error.oldest}; see --watch-history`
    throw new StorageError('unavailable', why, { cause: error })
  }
}

/** The number of objects, and the revision. */
async function countAll(store: Store, { revision }: ExportPoint): Promise<ExportResult> {
  const latest = revision === undefined ? undefined : await store.latestRevision()
  if (revision !== undefined && revision > latest!)
    throw new StorageError('unavailable', `there is no revision ${revision} yet: the newest is ${latest}`)
  const page = await listFirst(store, revision)
  let count = 0
  for await (const chunk of page.items) count = chunk.count + (chunk.remaining ?? 0)
  return { revision: page.revision, count }
}

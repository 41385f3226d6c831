import { createHash } from 'node:crypto'
import type { ListPage, Revision, Store } from 'orch/sdk'
import { encodeHeader, encodeRecord, encodeTrailer, withoutVersion } from './export-format.js'

export type Progress = (done: number, all: number) => void
export interface ExportResult {
  readonly revision: Revision
  readonly count: number
}

/** Hands out everything in the store as of one moment, in pieces. Servers go on meanwhile. */
export async function* exportStore(store: Store, progress: Progress): AsyncGenerator<Buffer, ExportResult> {
  const { revision, count } = await countAll(store)
  const hash = createHash('sha256')
  const header = Buffer.from(encodeHeader({ revision, count }))
  hash.update(header)
  yield header
  // The filter is the one who sees attributes; it sees those of each body, in their order.
  let attributes: Buffer[] = []
  const filter = (seen: Buffer) => attributes.push(Buffer.from(seen)) > 0
  const page = await store.list({ prefix: '', revision, keys: true, filter })
  let done = 0
  for await (const { joined, offsets, keys = [] } of page.items) {
    const lines = offsets.map((offset, index) => {
      const end = (offsets[index + 1] ?? joined.length + 1) - 1
      const { modRevision, body } = withoutVersion(joined.subarray(offset, end))
      return encodeRecord({ key: keys[index]!, modRevision, attributes: attributes[index]!, body })
    })
    attributes = attributes.slice(offsets.length)
    const piece = Buffer.concat(lines)
    hash.update(piece)
    yield piece
    done += offsets.length
    progress(done, count)
  }
  yield Buffer.from(encodeTrailer({ count: done, sha256: hash.digest('hex') }))
  return { revision, count: done }
}

/** How many objects there are, and at which revision. */
async function countAll(store: Store): Promise<ExportResult> {
  const page: ListPage = await store.list({ prefix: '', limit: 1 })
  let count = 0
  for await (const chunk of page.items) count = chunk.count + (chunk.remaining ?? 0)
  return { revision: page.revision, count }
}

import { type Revision, StorageError } from 'orch/sdk/host'
import { type Connection, read } from './connection.js'
import type { KeyLayout } from './key-layout.js'
import { headerRevision, methods } from './protocol.js'

/** etcd's revision increases only by writes; this many take minutes. */
const mostWrites = 5_000_000
const maxConcurrentWrites = 64

/** Writes one key until the revision is at least `to`, then notes that history begins there. Returns that revision. */
export async function advanceRevision(
  connection: Connection,
  layout: KeyLayout,
  from: Revision,
  to: Revision,
): Promise<Revision> {
  let missing = to - from
  if (missing > mostWrites) {
    const why = `etcd is at revision ${from}; it cannot be advanced to ${to}, as that takes one write for each`
    throw new StorageError('unavailable', why)
  }
  const writeOn = async () => {
    while (missing-- > 0) await read(connection, methods.put, { key: layout.mark, value: Buffer.alloc(0) })
  }
  await Promise.all(Array.from({ length: maxConcurrentWrites }, writeOn))
  return headerRevision(await read(connection, methods.put, { key: layout.begin, value: Buffer.alloc(0) }))
}

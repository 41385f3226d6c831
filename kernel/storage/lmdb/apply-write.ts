import { type Revision, StorageError } from 'orch/sdk/host'
import { modRevisionOf, pastKey, revisionLength, writeRevision } from '../revision.js'
import type { Environment } from './environment.js'
import type { PreparedWrite } from './prepare-write.js'

const append = { append: true }
const superseded = (revision: Revision): Buffer => {
  const bytes = Buffer.allocUnsafe(revisionLength)
  writeRevision(bytes, revision, 0)
  return bytes
}

/** Only inside a transaction: nothing but puts. */
export function applyWrite({ current, log, past }: Environment, write: PreparedWrite): void {
  const { key, revision, previous, record, entry } = write
  // Fails without an error when the revision is not the newest: then something else wrote the log.
  if (!(log.putSync(revision, entry, append) as unknown as boolean)) {
    throw new StorageError('corrupt', `revision ${revision} is already in the log`)
  }
  if (previous !== undefined) past.putSync(pastKey(key, revision), superseded(modRevisionOf(previous)))
  if (record !== undefined) current.putSync(key, record)
  else current.removeSync(key)
}

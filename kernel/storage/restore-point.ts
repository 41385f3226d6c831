import { type RestorePoint, type Revision, StorageError } from 'orch/sdk/host'
import type { Environment } from './lmdb/environment.js'
import { revisionKey } from './lmdb/read-log.js'
import { entryTimeOf, readRevision } from './revision.js'

/**
 * The revision of a point, which must be one that the history of the store reaches: from the revision up to which it was
 * compacted to the newest. Throws an error that says how far it reaches.
 */
export function revisionAt(environment: Environment, { revision, time }: RestorePoint): Revision {
  const { revision: newest, compacted } = environment.readState()
  if (revision !== undefined) {
    if (revision < compacted || revision > newest) throw unreachable(environment, `revision ${revision}`)
    return revision
  }
  if (time === undefined) return newest
  const found = times(environment).findLast(entry => entry.time <= time)
  if (!found) throw unreachable(environment, new Date(time).toISOString())
  return found.revision
}

function times(environment: Environment): { revision: Revision; time: number }[] {
  const { scanLog } = environment
  const found: { revision: Revision; time: number }[] = []
  scanLog.visit = value => {
    found.push({ revision: readRevision(scanLog.key.bytes, scanLog.key.start), time: entryTimeOf(value) })
  }
  const { compacted } = environment.readState()
  for (const _ of scanLog.database.getRange({ start: revisionKey(compacted + 1) }));
  return found
}

function unreachable(environment: Environment, what: string): StorageError {
  const { revision, compacted } = environment.readState()
  const [first] = times(environment)
  const since = first ? `, the changes since ${new Date(first.time).toISOString()}` : ''
  return new StorageError(
    'unavailable',
    `the file does not hold the state of ${what}, only revisions ${compacted} to ${revision}${since}`,
  )
}

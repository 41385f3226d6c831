import { CompactedError, type Revision } from 'orch/sdk/host'
import {
  decodeEntry,
  entryHasPrefix,
  modRevisionOf,
  pastKey,
  pastRevisionStart,
  previousOf,
  readRevision,
  restampRecord,
  revisionLength,
  writeRevision,
} from '../revision.js'
import { copyOf, type Environment } from './environment.js'
import { CommittedEvent } from './prepare-write.js'

export interface LogBatch {
  readonly events: readonly CommittedEvent[]
  /** All events up to here have been looked at. */
  readonly readTo: Revision
}

/** Reads some of the events with `from < revision <= to` from one snapshot. */
export function readLog(environment: Environment, prefix: Buffer, from: Revision, to: Revision): LogBatch {
  const { compacted } = environment.readState()
  if (from < compacted) throw new CompactedError(compacted)
  const { scanLog, limits } = environment
  const found: { revision: Revision; entry: Buffer }[] = []
  let bytes = 0
  let scanned = 0
  let readTo = from
  scanLog.visit = (value, size) => {
    scanned++
    readTo = readRevision(scanLog.key.bytes, scanLog.key.start)
    if (!entryHasPrefix(value, prefix)) return
    bytes += size
    found.push({ revision: readTo, entry: Buffer.from(value.subarray(0, size)) })
  }
  const range = scanLog.database.getRange({ start: revisionKey(from + 1), end: revisionKey(to + 1) })
  let isEnough = false
  for (const _ of range) {
    isEnough =
      found.length >= limits.eventsPerRead || bytes >= limits.eventBytesPerRead || scanned >= limits.logEntriesPerRead
    if (isEnough) break
  }
  return {
    events: found.map(({ revision, entry }) => readEvent(environment, revision, entry)),
    readTo: isEnough ? readTo : to,
  }
}

/** All events after `from`, a bounded read at a time; no snapshot is held between two of them. */
export function* readHistory(environment: Environment, prefix: Buffer, from: Revision, to: Revision) {
  while (from < to) {
    const { events, readTo } = readLog(environment, prefix, from, to)
    yield* events
    from = readTo
  }
}

function readEvent(environment: Environment, revision: Revision, bytes: Buffer): CommittedEvent {
  const { type, key, previous, last } = decodeEntry(bytes)
  if (type !== 'delete') {
    return new CommittedEvent(revision, type, key, recordWrittenAt(environment, key, revision), previous)
  }
  const shown = last ?? (previous && restampRecord(previous, revision))
  if (shown === undefined) throw new Error(`the log has no object for the delete at revision ${revision}`)
  return new CommittedEvent(revision, type, key, shown, previous)
}

/** The record that the write at `revision` made: still current, or kept by the write that replaced it. */
export function recordWrittenAt({ current, log, scanPast }: Environment, key: string, revision: Revision): Buffer {
  const newest = copyOf(current.getBinaryFast(key))
  if (newest !== undefined && modRevisionOf(newest) === revision) return newest
  let replacedAt: Revision | undefined
  scanPast.visit = () => {
    replacedAt = readRevision(scanPast.key.bytes, pastRevisionStart(scanPast.key.end))
  }
  const start = pastKey(key, revision + 1)
  const end = pastKey(key, Number.MAX_SAFE_INTEGER)
  for (const _ of scanPast.database.getRange({ start, end, limit: 1 })) break
  const entry = replacedAt === undefined ? undefined : copyOf(log.getBinaryFast(replacedAt))
  const record = entry && previousOf(entry)
  if (record === undefined || modRevisionOf(record) !== revision) {
    throw new Error(`the object written at revision ${revision} is not in the store`)
  }
  return record
}

export function revisionKey(revision: Revision): Buffer {
  const key = Buffer.allocUnsafe(revisionLength)
  writeRevision(key, revision, 0)
  return key
}

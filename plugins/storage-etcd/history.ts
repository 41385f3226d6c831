import { CompactedError, type Revision, StorageError } from 'orch/sdk/host'
import { type Connection, read } from './connection.js'
import type { EventRing } from './event-ring.js'
import type { EventTail } from './event-tail.js'
import type { KeyLayout } from './key-layout.js'
import { headerRevision, methods } from './protocol.js'
import { type StoredEvent, storedEvents } from './stored-event.js'
import { WatchCompacted, watchBatches } from './watch-batches.js'

export interface HistorySources {
  readonly connection: Connection
  readonly layout: KeyLayout
  readonly tail: EventTail
  readonly ring: EventRing
}

/** A watch normally delivers its next event within this time. If not, a marker is written for it to deliver. */
const usualDelayMs = 300
const longestDelayMs = 10_000
const outagesBorne = 5

/** Events with `from < revision <= to`, from the ring, or from etcd if they are older. */
export async function* readHistory(
  sources: HistorySources,
  prefix: string,
  from: Revision,
  to: Revision,
): AsyncGenerator<StoredEvent, void> {
  const { ring, tail } = sources
  const upper = Math.min(to, tail.delivered)
  if (from >= upper) return
  // This can be less only while the ring is being filled, just after opening.
  if (!(await tail.reached(upper, usualDelayMs))) await mark(sources)
  const events = from >= ring.start ? ring.between(from, upper) : readOlder(sources, from, upper)
  for await (const event of events) if (event.key.startsWith(prefix)) yield event
}

/**
 * Reads with a separate watch. A watch does not say that it is complete, so it is read up to a revision that has an event. It
 * covers the whole store, because the last state of deleted objects is stored beside the objects.
 */
async function* readOlder(sources: HistorySources, from: Revision, to: Revision): AsyncGenerator<StoredEvent, void> {
  const { connection, layout, tail } = sources
  if (tail.lastEvent === undefined) await mark(sources)
  const end = Math.min(to, tail.lastEvent ?? to)
  const abort = new AbortController()
  let told = from
  try {
    for (let outages = 0; told < end; ) {
      try {
        for await (const { revision, events } of watchBatches(connection, layout.all, told + 1, abort.signal)) {
          for (const event of storedEvents(events, layout)) if (event.revision <= to) yield event
          told = revision
          if (told >= end) break
        }
      } catch (error) {
        if (error instanceof WatchCompacted) throw new CompactedError(error.compacted)
        if (outages++ === outagesBorne)
          throw new StorageError('unavailable', 'etcd did not return the history', { cause: error })
      }
    }
  } finally {
    abort.abort()
  }
}

/** Writes a marker: once the watch delivers it, all earlier events have been delivered. */
async function mark({ connection, layout, tail }: HistorySources): Promise<void> {
  const revision = headerRevision(await read(connection, methods.put, { key: layout.mark, value: Buffer.alloc(0) }))
  if (await tail.reached(revision, longestDelayMs)) return
  throw new StorageError('unavailable', 'the watch on etcd makes no progress')
}

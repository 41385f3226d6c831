import { StorageError } from 'orch/sdk/host'
import type { Connection } from './connection.js'
import type { KeyRange } from './key-layout.js'
import { type EtcdEvent, headerRevision, toNumber, type WatchResponse } from './protocol.js'

/** Events of complete revisions, oldest first. An empty batch means that there were none up to `revision`. */
export interface WatchBatch {
  readonly revision: number
  readonly events: readonly EtcdEvent[]
}

/** The start revision of the watch has been compacted. */
export class WatchCompacted extends Error {
  readonly compacted: number
  constructor(compacted: number) {
    super(`etcd has compacted revisions before ${compacted}`)
    this.name = 'WatchCompacted'
    this.compacted = compacted
  }
}

/** Watches a range from a revision until aborted or broken. A slow reader exerts backpressure on etcd instead of using memory. */
export async function* watchBatches(
  connection: Connection,
  range: KeyRange,
  startRevision: number,
  signal: AbortSignal,
): AsyncGenerator<WatchBatch, void> {
  const { call, failed } = connection.watchCall()
  // A cancelled call emits an error.
  call.on('error', () => {})
  const cancel = () => call.cancel()
  signal.addEventListener('abort', cancel)
  const { start: key, end: rangeEnd } = range
  call.write({ createRequest: { key, rangeEnd, startRevision, progressNotify: true, prevKv: true, fragment: true } })
  let fragments: EtcdEvent[] = []
  try {
    for await (const response of call as AsyncIterable<WatchResponse>) {
      if (response.canceled) throw cancelled(response)
      if (response.created) continue
      if (response.fragment || fragments.length > 0) fragments = fragments.concat(response.events)
      if (response.fragment) continue
      const events = fragments.length > 0 ? fragments : response.events
      fragments = []
      yield { revision: lastRevision(events) ?? headerRevision(response), events }
    }
    if (!signal.aborted) throw new StorageError('unavailable', 'etcd ended the watch')
  } catch (error) {
    if (signal.aborted) return
    if (!(error instanceof WatchCompacted)) failed()
    throw error
  } finally {
    signal.removeEventListener('abort', cancel)
    call.cancel()
  }
}

function cancelled({ compactRevision, cancelReason }: WatchResponse): Error {
  const compacted = toNumber(compactRevision)
  return compacted > 0
    ? new WatchCompacted(compacted)
    : new StorageError('unavailable', `etcd refused the watch: ${cancelReason}`)
}

function lastRevision(events: readonly EtcdEvent[]): number | undefined {
  const last = events.at(-1)
  return last && toNumber(last.kv.modRevision)
}

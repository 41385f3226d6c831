import type { Revision, StoreReplica } from 'orch/sdk/host'
import type { Connection } from './connection.js'
import { isCompacted, storageErrorFrom } from './etcd-errors.js'
import type { KeyLayout } from './key-layout.js'
import { methods, type RangeRequest, type RangeResponse, toNumber } from './protocol.js'
import { bodyOf } from './record.js'

export interface ResumeQuestion {
  readonly connection: Connection
  readonly layout: KeyLayout
  readonly revision: Revision
  readonly compacted: Revision
}

/**
 * Why a replica from an earlier run cannot be resumed; undefined if it can. etcd may have compacted the history after it, or may
 * have been restored from a backup and diverged since, so the state at the revision of the replica is compared.
 */
export async function reasonNotToResume(replica: StoreReplica, asked: ResumeQuestion): Promise<string | undefined> {
  const { connection, layout, compacted } = asked
  const { revision, lastKey } = replica
  if (revision > asked.revision) return `it is at revision ${revision}, and etcd at ${asked.revision}`
  if (revision < compacted) return `it is at revision ${revision}, and etcd has compacted those before ${compacted}`
  const range = (request: RangeRequest): Promise<RangeResponse> =>
    connection.ask(methods.range, { ...request, revision })
  try {
    const { start: key, end: rangeEnd } = layout.objectsBelow('')
    const count = toNumber((await range({ key, rangeEnd, countOnly: true })).count)
    if (count !== replica.count('')) return `it has ${replica.count('')} objects, and etcd had ${count}`
    if (lastKey === undefined) return undefined
    const [found] = (await range({ key: layout.objectKey(lastKey) })).kvs
    const there = found && bodyOf(found.value, toNumber(found.modRevision))
    const here = replica.get(lastKey)?.body
    return String(here) === String(there) ? undefined : `its object ${lastKey} is not the one that etcd had`
  } catch (error) {
    if (isCompacted(error)) return `etcd has compacted revision ${revision}`
    throw storageErrorFrom(error)
  }
}

import { readFileSync } from 'node:fs'
import { type Revision, StorageError, type Store } from 'orch/sdk/host'
import { Connection, read } from './connection.js'
import { isCompacted, storageErrorFrom } from './etcd-errors.js'
import { EtcdStore, findCompacted } from './etcd-store.js'
import { KeyLayout } from './key-layout.js'
import type { EtcdOptions } from './options.js'
import { headerRevision, methods } from './protocol.js'

export interface OpenEtcdOptions extends EtcdOptions {
  readonly historyMs: number
  readonly now: () => number
  readonly warn: (message: string) => void
}

/** Opens the store below the prefix; etcd needs no preparation. Any number of processes may have it open. */
export async function openEtcdStore(options: OpenEtcdOptions): Promise<Store> {
  const { etcdServers, etcdPrefix, etcdCafile, etcdCertfile, etcdKeyfile } = options
  if ((etcdCertfile === undefined) !== (etcdKeyfile === undefined)) {
    throw new StorageError('unavailable', '--etcd-certfile and --etcd-keyfile need each other')
  }
  const connection = new Connection(etcdServers, {
    ...(etcdCafile === undefined ? {} : { ca: readFileSync(etcdCafile) }),
    ...(etcdCertfile === undefined ? {} : { certificate: readFileSync(etcdCertfile) }),
    ...(etcdKeyfile === undefined ? {} : { key: readFileSync(etcdKeyfile) }),
  })
  const layout = new KeyLayout(etcdPrefix)
  const { historyMs, now, warn } = options
  try {
    const revision = headerRevision(await read(connection, methods.range, { key: layout.mark, countOnly: true }))
    await warnOfAlarms(connection, warn)
    const compacted = await compactedRevision(connection, layout)
    return new EtcdStore({ connection, layout, historyMs, now, warn }, { revision, compacted })
  } catch (error) {
    connection.close()
    throw error
  }
}

async function compactedRevision(connection: Connection, layout: KeyLayout): Promise<Revision> {
  try {
    await connection.ask(methods.range, { key: layout.mark, revision: 1, countOnly: true })
    return 1
  } catch (error) {
    if (isCompacted(error)) return findCompacted(connection, layout)
    throw storageErrorFrom(error)
  }
}

const alarmNames: Readonly<Record<number, string>> = {
  1: 'it has used up its quota, and takes nothing but deletes until it is compacted, defragmented and disarmed',
  2: 'a member is damaged',
}
async function warnOfAlarms(connection: Connection, warn: (message: string) => void): Promise<void> {
  const { alarms } = await read(connection, methods.alarm, { action: 0 })
  for (const { alarm } of alarms) warn(`etcd raises an alarm: ${alarmNames[alarm] ?? alarm}`)
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StoreReplica } from 'orch/sdk/host'
import { replicasFor } from 'orch/sdk/testing'
import { Connection, read } from '../connection.js'
import type { EtcdStore } from '../etcd-store.js'
import { openEtcdStore } from '../open-etcd-store.js'
import { headerRevision, methods } from '../protocol.js'

export interface PlaceOptions {
  /** The name of an existing place; a new and empty one by default. */
  readonly place?: string | undefined
  readonly warn?: (message: string) => void
  readonly info?: (message: string) => void
  /** False: etcd answers every read. */
  readonly replica?: boolean
  /** Modifies replicas before the store uses them. */
  readonly spoil?: (replica: StoreReplica) => StoreReplica
}

let places = 0
const folder = mkdtempSync(join(tmpdir(), 'etcd-replicas-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

/** Where the replicas of a place are. */
export const replicaFolder = (place: string): string => join(folder, place)

/** Opens empty stores on one cluster: each below a prefix of its own, with no history. Reads come from its replica. */
export async function openPlace(servers: readonly string[], options: PlaceOptions = {}): Promise<EtcdStore> {
  const { warn = () => {}, info = () => {}, replica = true, spoil = each => each } = options
  const place = options.place ?? `place-${places++}`
  if (options.place === undefined) await forgetHistory(servers)
  const open = replicasFor(replicaFolder(place), warn)
  const store = await openEtcdStore({
    etcdServers: [...servers],
    etcdPrefix: `/test/${place}`,
    historyMs: 300_000,
    now: Date.now,
    warn,
    info,
    ...(replica ? { openReplica: async (source: string) => spoil(await open(source)) } : {}),
  })
  await store.replicaSettled
  return store
}

/** Revisions are those of the cluster, so writes of other stores would count as history of this one. */
async function forgetHistory(servers: readonly string[]): Promise<void> {
  const connection = new Connection(servers, {})
  try {
    const key = Buffer.from('/test')
    const revision = headerRevision(await read(connection, methods.range, { key, countOnly: true }))
    await connection.ask(methods.compact, { revision }).catch(() => {})
  } finally {
    connection.close()
  }
}

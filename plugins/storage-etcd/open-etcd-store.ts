import { readFileSync } from 'node:fs'
import { type OpenReplica, type Revision, StorageError, type StoreReplica } from 'orch/sdk/host'
import { Connection, read, type TlsFiles } from './connection.js'
import { isCompacted, storageErrorFrom } from './etcd-errors.js'
import { EtcdStore } from './etcd-store.js'
import { findCompacted } from './find-compacted.js'
import { KeyLayout } from './key-layout.js'
import type { EtcdOptions } from './options.js'
import { clusterOf, headerRevision, methods, toNumber } from './protocol.js'
import { reportWait } from './report-wait.js'
import { type ResumeQuestion, reasonNotToResume } from './resume-replica.js'

export interface OpenEtcdOptions extends Omit<EtcdOptions, 'etcdReplica'> {
  readonly etcdReplica?: boolean
  readonly historyMs: number
  readonly now: () => number
  readonly warn: (message: string) => void
  readonly info?: (message: string) => void
  readonly openReplica?: OpenReplica
}

/** Opens the store below the prefix. Any number of processes may have it open. */
export async function openEtcdStore(options: OpenEtcdOptions): Promise<EtcdStore> {
  const { etcdServers, etcdPrefix } = options
  const connection = new Connection(etcdServers, tlsFiles(options))
  const layout = new KeyLayout(etcdPrefix)
  const { historyMs, now, warn, info = () => {}, etcdReplica = true } = options
  try {
    const { cluster, revision, compacted } = await reportWait(stateOf(connection, layout, warn), seconds =>
      warn(
        `the start is waiting for etcd, which has not answered for ${seconds} s${lastFailure(connection)} (asked: ${etcdServers.join(', ')})`,
      ),
    )
    const found = { connection, layout, revision, compacted }
    const open = etcdReplica ? options.openReplica : undefined
    const openReplica = open && (() => open(`etcd ${cluster} ${etcdPrefix}`))
    const resumed = openReplica && (await resume(openReplica, found, warn, info))
    return new EtcdStore(
      { connection, layout, historyMs, now, warn, info, openReplica },
      { cluster, revision, compacted, resumed },
    )
  } catch (error) {
    connection.close()
    throw isUnavailable(error) ? unreachable(error, etcdServers) : error
  }
}

/** What has to be known of the cluster before anything is served. */
async function stateOf(
  connection: Connection,
  layout: KeyLayout,
  warn: (message: string) => void,
): Promise<{ readonly cluster: number; readonly revision: Revision; readonly compacted: Revision }> {
  const first = await read(connection, methods.range, { key: layout.begin })
  const begin = toNumber(first.kvs[0]?.modRevision ?? 0)
  await warnOfAlarms(connection, warn)
  const compacted = Math.max(begin, await compactedRevision(connection, layout))
  return { cluster: clusterOf(first), revision: headerRevision(first), compacted }
}

const lastFailure = ({ lastOutage }: Connection): string => (lastOutage === undefined ? '' : `: ${lastOutage}`)

const isUnavailable = (error: unknown): error is StorageError =>
  error instanceof StorageError && error.kind === 'unavailable'

/** Logged at start, for an operator who can fix it. */
const unreachable = (cause: StorageError, servers: readonly string[]): StorageError =>
  new StorageError(
    'unavailable',
    `${cause.message} (asked: ${servers.join(', ')}). Start etcd, or correct --etcd-servers and the files of --etcd-cafile, --etcd-certfile and --etcd-keyfile; orch doctor asks each member`,
    { cause },
  )

/** The contents of the files that the options name. */
export function tlsFiles(options: Pick<EtcdOptions, 'etcdCafile' | 'etcdCertfile' | 'etcdKeyfile'>): TlsFiles {
  const { etcdCafile, etcdCertfile, etcdKeyfile } = options
  if ((etcdCertfile === undefined) !== (etcdKeyfile === undefined)) {
    throw new StorageError('unavailable', '--etcd-certfile and --etcd-keyfile must be set together')
  }
  return {
    ...(etcdCafile === undefined ? {} : { ca: readFileSync(etcdCafile) }),
    ...(etcdCertfile === undefined ? {} : { certificate: readFileSync(etcdCertfile) }),
    ...(etcdKeyfile === undefined ? {} : { key: readFileSync(etcdKeyfile) }),
  }
}

/** Opens a replica from an earlier run, if it can be resumed. */
async function resume(
  openReplica: () => Promise<StoreReplica>,
  asked: ResumeQuestion,
  warn: (message: string) => void,
  info: (message: string) => void,
): Promise<StoreReplica | undefined> {
  let replica: StoreReplica | undefined
  try {
    replica = await openReplica()
    if (replica.revision > 0) {
      const reason = await reasonNotToResume(replica, asked)
      if (reason === undefined) return replica
      info(`the replica of etcd is rebuilt: ${reason}`)
    }
  } catch (error) {
    warn(`the replica of etcd is rebuilt: ${error instanceof Error ? error.message : String(error)}`)
  }
  await replica?.discard().catch(() => {})
  return undefined
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

export const alarmNames: Readonly<Record<number, string>> = {
  1: 'its quota is exceeded, and it accepts only deletes until it is compacted, defragmented and disarmed',
  2: 'the data of a member is corrupt',
}
async function warnOfAlarms(connection: Connection, warn: (message: string) => void): Promise<void> {
  const { alarms } = await read(connection, methods.alarm, { action: 0 })
  for (const { alarm } of alarms) warn(`etcd raises an alarm: ${alarmNames[alarm] ?? alarm}`)
}

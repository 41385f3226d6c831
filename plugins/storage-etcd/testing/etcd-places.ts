import type { Store } from 'orch/sdk/host'
import { Connection, read } from '../connection.js'
import { openEtcdStore } from '../open-etcd-store.js'
import { headerRevision, methods } from '../protocol.js'

let places = 0

/** Opens empty stores on one cluster: each below a prefix of its own, with no history. With a place, what was left there. */
export async function openPlace(
  servers: readonly string[],
  place?: string,
  warn: (message: string) => void = () => {},
): Promise<Store> {
  const etcdPrefix = `/test/${place ?? `place-${places++}`}`
  if (place === undefined) await forgetHistory(servers)
  const options = { etcdServers: [...servers], etcdPrefix, historyMs: 300_000, now: Date.now, warn }
  return openEtcdStore(options)
}

/** Revisions are the cluster's, so what other stores wrote would count as history of this one. */
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

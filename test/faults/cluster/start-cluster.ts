import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { type EtcdCluster, startCluster } from '../../../plugins/storage-etcd/testing/etcd-cluster.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import type { Cluster } from './cluster.js'
import { ServerProcess } from './server-process.js'

export const engineNames = ['lmdb', 'etcd'] as const
export type EngineName = (typeof engineNames)[number]

const token = 'of-the-fault-harness'
const memberCount = 3
const serverNames = ['one', 'other']

/** Starts one server with its own store, or two on three members of etcd; each with worker processes if requested. */
export async function startServers(
  engine: EngineName,
  extraFlags: readonly string[] = [],
  workers = 0,
): Promise<Cluster> {
  const hasWorkers = workers > 0
  const flags = hasWorkers ? [...extraFlags, `--workers=${workers}`] : extraFlags
  const folder = temporaryFolder()
  const tokenFile = folder.write('tokens.csv', `${token},harness,1,"system:masters"\n`)
  const servers: ServerProcess[] = []
  let etcd: EtcdCluster | undefined
  const stop = async () => {
    await Promise.all(servers.map(server => server.stop()))
    await etcd?.stop()
    folder.remove()
  }
  const start = async (name: string, more: readonly string[]) => {
    const dataDir = join(folder.path, name)
    servers.push(await ServerProcess.start({ name, dataDir, tokenFile, token, flags: [...more, ...flags] }))
  }
  try {
    if (engine === 'etcd') {
      etcd = await startCluster({ members: memberCount })
      const storage = ['--storage-engine=etcd', `--etcd-servers=${etcd.servers.join()}`]
      for (const name of serverNames) {
        // Servers of one API must share their CA and keys.
        if (servers.length > 0) {
          cpSync(join(folder.path, serverNames[0]!, 'pki'), join(folder.path, name, 'pki'), { recursive: true })
        }
        await start(name, storage)
      }
      return { servers, etcd, memberCount, hasWorkers, hasDisk: false, stop }
    }
    await start('server', [])
    // Part of util-linux; elsewhere there is no way to limit and unlimit a running process.
    const hasDisk = spawnSync('prlimit', ['--version']).error === undefined
    return { servers, memberCount: 0, hasWorkers, hasDisk, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

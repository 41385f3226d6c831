import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../support/eventually.js'
import { type RunningServer, startOrch } from '../support/start-orch.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { Connection, type Server } from './connection.js'
import { childrenOf, holderOf } from './processes.js'

/** Generous, for a slow machine with other work. */
export const patientMs = 60_000

/** A server of several processes. */
export interface WorkerServer extends Server {
  readonly running: RunningServer
  /** Its static tokens. */
  readonly tokenFile: string
  /** The workers that live now. */
  workers(): number[]
  /** One connection to each of the workers. */
  oneToEach(token?: string): Promise<Connection[]>
  stop(): Promise<void>
}

/** Starts a server with workers, an administrator `admintoken` and a user `jane` without permissions, `janetoken`. */
export async function startWorkers(count: number, ...flags: string[]): Promise<WorkerServer> {
  const folder = temporaryFolder()
  const tokens = join(folder.path, 'tokens.csv')
  writeFileSync(tokens, 'admintoken,admin,1,system:masters\njanetoken,jane,2\n')
  const dataDir = join(folder.path, 'data')
  const running = await startOrch({
    dataDir,
    limitMs: patientMs,
    flags: [
      `--workers=${count}`,
      `--token-auth-file=${tokens}`,
      '--authorization-mode=RBAC',
      // Nobody puts objects of its own into our namespaces.
      '--controllers=*,-root-ca-cert-publisher',
      ...flags,
    ],
  })
  const server = { url: running.url, ca: readFileSync(join(dataDir, 'pki', 'ca.crt'), 'utf8') }
  const workers = () => childrenOf(running.pid)
  const port = Number(new URL(running.url).port)
  const oneToEach = async (token?: string) => {
    const found = new Map<number, Connection>()
    await eventually(
      'a connection to each worker',
      async () => {
        const pids = workers()
        for (const pid of [...found.keys()]) if (!pids.includes(pid)) found.delete(pid)
        const connection = new Connection(server, token)
        await connection.get('/version').catch(() => {})
        const pid = holderOf(pids, port, connection.localPort)
        if (pid === undefined || found.has(pid)) connection.close()
        else found.set(pid, connection)
        return found.size === count
      },
      patientMs,
    )
    return [...found.values()]
  }
  const stop = async () => {
    await running.stop()
    folder.remove()
  }
  return { ...server, running, tokenFile: tokens, workers, oneToEach, stop }
}

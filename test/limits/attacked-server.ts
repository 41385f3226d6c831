import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import { type EtcdCluster, isEtcdInstalled, startCluster } from '../../plugins/storage-etcd/testing/etcd-cluster.js'
import { eventually } from '../support/eventually.js'
import { type StartOptions, startOrch } from '../support/start-orch.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { childrenOf } from '../workers/processes.js'

/** The kinds of servers that every attack is run against. */
export const serverKinds = ['one process', 'two workers', 'the etcd engine'] as const
export type ServerKind = (typeof serverKinds)[number]

export const missingProgram = (kind: ServerKind): boolean => kind === 'the etcd engine' && !isEtcdInstalled()

/** Generous, for a slow machine with other work. */
export const patientMs = 60_000

/** A server in separate processes, and its resources. */
export interface AttackedServer {
  readonly url: string
  readonly port: number
  readonly pid: number
  output(): string
  /** Sends a request over a new connection, as an administrator by default. */
  ask(method: string, path: string, body?: unknown, token?: string): Promise<{ status: number; text: string }>
  /** A connection with its handshake done, on which nothing is read unless `resume` is called. */
  open(): Promise<TLSSocket>
  /** Open files of all its processes. */
  descriptors(): number
  residentBytes(): number
  /** Reads the metrics; the returned function sums those with a name prefix, and a label if one is given. */
  metrics(): Promise<(name: string, label?: string) => number>
  /** Waits until all resources of clients are released: seats, watches, unsent bytes, connections, descriptors. */
  atRest(): Promise<void>
  stop(): Promise<void>
}

/** The head of a request of an ordinary user, with a line for each header. */
export const head = (method: string, path: string, ...lines: string[]): string =>
  [`${method} ${path} HTTP/1.1`, 'Host: server', 'Authorization: Bearer anntoken', ...lines, '', ''].join('\r\n')

export async function startAttacked(
  kind: ServerKind,
  flags: readonly string[] = [],
  process: Pick<StartOptions, 'openFiles' | 'env'> = {},
): Promise<AttackedServer> {
  const folder = temporaryFolder()
  const tokens = folder.write('tokens.csv', 'admintoken,admin,1,system:masters\nanntoken,ann,2\n')
  let etcd: EtcdCluster | undefined
  const stopAll = async (server?: { stop(): Promise<void> }) => {
    await server?.stop()
    await etcd?.stop()
    folder.remove()
  }
  try {
    if (kind === 'the etcd engine') etcd = await startCluster()
    const running = await startOrch({
      dataDir: join(folder.path, 'data'),
      limitMs: patientMs,
      ...process,
      flags: [
        `--token-auth-file=${tokens}`,
        ...(flags.some(flag => flag.startsWith('--authorization-mode')) ? [] : ['--authorization-mode=AlwaysAllow']),
        '--controllers=-*',
        ...(kind === 'two workers' ? ['--workers=2'] : []),
        ...(etcd ? ['--storage-engine=etcd', `--etcd-servers=${etcd.servers.join()}`] : []),
        ...flags,
      ],
    })
    const server = attacked(running, () => stopAll(running))
    await server.atRest()
    return server
  } catch (error) {
    await stopAll()
    throw error
  }
}

function attacked(
  { url, pid, output }: { url: string; pid: number; output(): string },
  stop: () => Promise<void>,
): AttackedServer {
  const port = Number(new URL(url).port)
  const pids = () => [pid, ...childrenOf(pid)]
  const descriptors = () => sum(pids().map(each => readdirSync(`/proc/${each}/fd`).length))
  let descriptorsAtRest: number | undefined
  let placesOfAsker: number | undefined
  const ask: AttackedServer['ask'] = (method, path, body, token = 'admintoken') =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const sent = request(`${url}${path}`, { method, headers, agent: false, rejectUnauthorized: false }, response => {
        let text = ''
        response.setEncoding('utf8').on('data', piece => (text += piece))
        response.on('error', reject)
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      })
      sent.on('error', reject)
      sent.end(body === undefined ? undefined : JSON.stringify(body))
    })
  const metrics = async (...names: string[]) => {
    const query = new URLSearchParams(names.map((name): [string, string] => ['name[]', name]))
    const { text } = await ask('GET', `/metrics?${query}`)
    // One that is not served would count as 0, and nothing would ever be found to be left.
    const missing = names.find(name => !text.includes(`# HELP ${name} `))
    if (missing !== undefined) throw new Error(`/metrics does not have ${missing}: ${text.slice(0, 300)}`)
    const lines = text.split('\n')
    return (name: string, label = '') =>
      sum(
        lines.filter(line => line.startsWith(name) && line.includes(label)).map(line => Number(line.split(' ').at(-1))),
      )
  }
  const atRest = async () => {
    let left: Record<string, number> = {}
    await eventually(
      'the server to be at rest',
      async () => {
        // Every request needs a handshake.
        await new Promise(resolve => setTimeout(resolve, 200))
        // Only these: a server that is polled for seconds would spend most of its CPU on the others.
        const metric = await metrics(
          'apiserver_current_inflight_requests',
          'apiserver_longrunning_requests',
          'apiserver_unsent_response_bytes',
          'apiserver_open_connections',
        )
        const places = metric('apiserver_current_inflight_requests')
        // Whether this request itself has a seat depends on the limiter.
        placesOfAsker ??= Math.min(places, 1)
        left = {
          places: Math.max(0, places - placesOfAsker),
          watches: metric('apiserver_longrunning_requests'),
          unsent: metric('apiserver_unsent_response_bytes'),
          // Without the connection of this request.
          connections: metric('apiserver_open_connections') - 1,
          descriptors: Math.max(0, descriptors() - (descriptorsAtRest ?? Number.POSITIVE_INFINITY)),
        }
        return sum(Object.values(left)) === 0
      },
      patientMs,
    ).catch(error => {
      throw new Error(`${(error as Error).message}: ${JSON.stringify(left)}`)
    })
    descriptorsAtRest ??= descriptors() + spareDescriptors
  }
  const open = () =>
    new Promise<TLSSocket>((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => resolve(socket))
      socket.pause()
      socket.on('error', reject)
    })
  const residentBytes = () => sum(pids().map(residentOf))
  return { url, port, pid, output, ask, open, descriptors, residentBytes, metrics, atRest, stop }
}

/** A server may open its own files and connections meanwhile, such as to etcd. */
const spareDescriptors = 6

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

/** Anonymous memory, without mapped pages of the store. */
function residentOf(pid: number): number {
  const kilobytes = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) * 1024
}

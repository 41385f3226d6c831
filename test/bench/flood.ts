import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type RunningServer, startOrch } from '../support/start-orch.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { openConnections } from './client-load.js'
import { collectionPath, operations } from './config-map-load.js'
import { Connection } from './connection.js'
import { median, monotonicMs, percentile, threadCpuMs } from './process-figures.js'

/**
 * `node dist/test/bench/flood.js [--rounds 5] [--seconds 4] [--connections 200]`
 *
 * The effect of fair queuing: one user floods the server with requests over many connections, and the latency of another user who
 * sends requests sequentially must stay within twice of that on an idle server. Rounds with and without the flood
 * alternate, and the flood comes from a separate process. If the cores are shared with the flood and other processes, part of the
 * latency is the wait for a core. So the work of the server is printed as well: how much CPU time its thread spent between a
 * request and its response, on any work. `--flood-rate` limits the flood to this many requests per second; 0 means no limit.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '200' },
    'flood-rate': { type: 'string', default: '0' },
    flooder: { type: 'string' },
  },
})
const allowedFactor = 2
const namespace = 'default'
const shape = { namespace, size: 1000, first: 0, objects: 100, salt: 0 }
/** The requests of both users: mostly reads, some writes. */
const operationOf = (n: number) => (n % 5 === 0 ? 'create' : n % 5 === 1 ? 'list' : 'get')

function partsOf(operation: ReturnType<typeof operationOf>, n: number): [method: string, path: string, body?: string] {
  if (operation === 'list') return ['GET', `${collectionPath(namespace)}?limit=50`]
  const [method, path, body] = operations[operation](shape, n)
  return [method, path, body]
}

/** The flooding process; when it is asked to end, it sends the number of responses by status. */
async function flood(url: string): Promise<void> {
  const target = { url, token: 'flooder', pids: [] }
  const count = Number(values.connections)
  const pauseMs = Number(values['flood-rate']) === 0 ? 0 : (count * 1000) / Number(values['flood-rate'])
  const connections = await openConnections(target, count, false)
  const answers: Record<number, number> = {}
  let isOver = false
  process.once('message', () => {
    isOver = true
  })
  process.send?.('ready')
  await Promise.all(
    connections.map(async (connection, lane) => {
      for (let n = lane; !isOver; n += count) {
        const [method, path, body] = partsOf(operationOf(n), 1e6 + n + process.pid * 1e7)
        const { status } = await connection.request(method, path, { body })
        answers[status] = (answers[status] ?? 0) + 1
        if (pauseMs > 0) await new Promise(resolve => setTimeout(resolve, pauseMs))
      }
    }),
  )
  process.send?.(answers)
  process.disconnect()
  for (const connection of connections) connection.close()
}

async function startFlood(url: string): Promise<() => Promise<Record<number, number>>> {
  const child = fork(fileURLToPath(import.meta.url), [...process.argv.slice(2), '--flooder', url])
  await new Promise(resolve => child.once('message', resolve))
  return () =>
    new Promise(resolve => {
      child.once('message', answers => resolve(answers as Record<number, number>))
      child.send('end')
    })
}

interface Wait {
  readonly ms: number
  readonly serverMs: number
}
let sent = 0
/** The latencies of a user who sends requests sequentially, with pauses. */
async function waitsOf({ url, pid }: RunningServer, seconds: number): Promise<Wait[]> {
  const connection = await Connection.open({ url, token: 'worker', pids: [] })
  const waits: Wait[] = []
  for (const end = monotonicMs() + seconds * 1000; monotonicMs() < end; ) {
    const [method, path, body] = partsOf(operationOf(++sent), 1000 + sent)
    const [startedAt, workedBefore] = [monotonicMs(), threadCpuMs(pid)]
    const { status, body: answer } = await connection.request(method, path, { body })
    if (status >= 300 && status !== 404) throw new Error(`${method} ${path}: ${status} ${answer.toString()}`)
    waits.push({ ms: monotonicMs() - startedAt, serverMs: threadCpuMs(pid) - workedBefore })
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  connection.close()
  return waits
}

async function measure(): Promise<void> {
  const folder = temporaryFolder()
  const tokens = folder.write('tokens.csv', 'flooder,flooder,1,""\nworker,worker,2,""\n')
  const flags = ['--vendor=kubernetes', `--token-auth-file=${tokens}`, '--authorization-mode=AlwaysAllow']
  const server = await startOrch({ flags })
  try {
    const seconds = Number(values.seconds)
    const rounds: Round[] = []
    const answered: Record<number, number> = {}
    // The first round only warms up.
    for (let round = 0; round <= Number(values.rounds); round++) {
      const idle = await waitsOf(server, seconds)
      const end = await startFlood(server.url)
      const flooded = await waitsOf(server, seconds)
      for (const [status, count] of Object.entries(await end()))
        answered[Number(status)] = (answered[Number(status)] ?? 0) + count
      if (round > 0) rounds.push({ idle, flooded })
    }
    report(rounds, answered)
  } finally {
    await server.stop()
    folder.remove()
  }
}

interface Round {
  readonly idle: readonly Wait[]
  readonly flooded: readonly Wait[]
}

function report(rounds: readonly Round[], answered: Record<number, number>): void {
  const factors = (['ms', 'serverMs'] as const).map(figure => {
    const sorted = (which: 'idle' | 'flooded') =>
      rounds.flatMap(round => round[which].map(wait => wait[figure])).sort((one, other) => one - other)
    const [idle, flooded] = [sorted('idle'), sorted('flooded')]
    console.log(figure === 'ms' ? 'latency' : 'CPU time of the server meanwhile')
    for (const share of [0.5, 0.9, 0.99]) {
      const [before, during] = [percentile(idle, share), percentile(flooded, share)]
      const ratio = (during / before).toFixed(2)
      console.log(`  p${share * 100}  idle ${before.toFixed(2)} ms  flooded ${during.toFixed(2)} ms  ${ratio} times`)
    }
    const middle = (waits: readonly Wait[]) => median(waits.map(wait => wait[figure]))
    return median(rounds.map(round => middle(round.flooded) / middle(round.idle)))
  })
  console.log(`answers to the flood: ${JSON.stringify(answered)}`)
  const [factor = 0, ofServer = 0] = factors
  console.log(
    `median of ${rounds.length} rounds: latency ${factor.toFixed(2)} times, server ${ofServer.toFixed(2)} times`,
  )
  console.log(`allowed are ${allowedFactor}`)
  process.exitCode = Math.min(factor, ofServer) <= allowedFactor ? 0 : 1
}

if (values.flooder === undefined) await measure()
else await flood(values.flooder)

import { parseArgs } from 'node:util'
import { flagsOf } from '../golden/server-flags.js'
import { type RunningServer, startOrch } from '../support/start-orch.js'
import { childrenOf } from '../workers/processes.js'
import { BenchServer, kibPayload } from './bench-server.js'
import { CpuShares } from './cpu-share.js'
import { LoadClient } from './load-client.js'
import { median } from './process-figures.js'
import { writesOf } from './scaling-model.js'

/**
 * `npm run bench:workers -- [--workers 1,2] [--share 0.35] [--clients 64] [--seconds 5] [--reps 3]
 *   [--writes 3000]`
 *
 * GETs of single objects from servers with different numbers of workers, in turn. Every process of a server
 * gets the same share of a core, and the load generator the rest, so that it takes nothing from the servers: the rates
 * compare as they would on a machine that has a core for each process. Then creates, with the CPU of each process: every worker
 * follows the writes of the others. From that the writes of more workers are predicted.
 */
const text = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    workers: { ...text, default: '1,2' },
    share: { ...text, default: '0.35' },
    clients: { ...text, default: '64' },
    seconds: { ...text, default: '5' },
    reps: { ...text, default: '3' },
    writes: { ...text, default: '3000' },
  },
})
const [share, clients] = [Number(values.share), Number(values.clients)]
const [seconds, repetitions] = [Number(values.seconds), Number(values.reps)]
const objects = 1024
const warmUpRequests = 20_000

const client = new LoadClient()
const shares = new CpuShares()
const flags = await flagsOf('base')
interface Measured {
  readonly count: number
  readonly running: RunningServer
  readonly server: BenchServer
  readonly namespace: string
  readonly pids: readonly number[]
  readonly rates: number[]
}
const get = ({ server, namespace }: Measured, until: { seconds: number } | { count: number }) => {
  const shape = { namespace, size: kibPayload, first: 0, objects, salt: 0 }
  return client.do('load', { ...shape, target: server.target, operation: 'get', clients, ...until })
}

const servers: Measured[] = []
for (const count of values.workers.split(',').map(Number)) {
  const running = await startOrch({ flags: [...flags, `--workers=${count}`] })
  const pids = [running.pid, ...childrenOf(running.pid)]
  const server = new BenchServer({ url: running.url, token: 'admintoken', pids }, client)
  const measured = { count, running, server, namespace: await server.fill('workers', objects), pids, rates: [] }
  // The first requests run before the code is optimized.
  await get(measured, { count: warmUpRequests * count })
  for (const pid of pids) shares.limit(pid, share)
  servers.push(measured)
}

const percent = (part: number, whole: number) => `${Math.round((part / whole) * 100)} %`
console.log(`${share} of a core for each process, ${clients} clients, ${seconds} s each`)
for (let repetition = 0; repetition < repetitions; repetition++)
  for (const each of servers) {
    const { latencies, wallMs, clientCpuMs, serverCpuMs, serverCpuMsEach, machineBusyMs } = await get(each, { seconds })
    const rate = (latencies.length / wallMs) * 1e3
    each.rates.push(rate)
    console.log(
      `workers ${each.count}: ${Math.round(rate)} GET/s, ${(serverCpuMs / latencies.length).toFixed(3)} ms CPU each, ` +
        `the processes used of their shares ${serverCpuMsEach.map(ms => percent(ms, wallMs * share)).join(', ')}; ` +
        `of a core the generator ${percent(clientCpuMs, wallMs)}, others ${percent(Math.max(0, machineBusyMs - clientCpuMs - serverCpuMs), wallMs)}`,
    )
  }

/** CPU of each process for one create; the primary is the first. */
async function createCosts({ count, server }: Measured, connections: number): Promise<number[]> {
  const namespace = await server.namespace(`creates-${count}-${connections}`)
  const shape = { namespace, size: kibPayload, objects, salt: 0, target: server.target, clients: connections }
  const writes = Number(values.writes)
  await client.do('load', { ...shape, operation: 'create', first: 0, count: writes })
  const { serverCpuMsEach } = await client.do('load', { ...shape, operation: 'create', first: writes, count: writes })
  const costs = serverCpuMsEach.map(ms => ms / writes)
  console.log(
    `workers ${count}: create with ${connections} clients, ms of CPU of each process ${costs.map(ms => ms.toFixed(3)).join(', ')}`,
  )
  return costs
}
for (const each of servers) {
  await createCosts(each, clients)
  if (each.count === 1) continue
  // A single connection has one worker, and the others only follow.
  const [primary = 0, ...workers] = await createCosts(each, 1)
  const own = Math.max(...workers)
  const others = (workers.reduce((sum, ms) => sum + ms, 0) - own) / (workers.length - 1)
  for (const more of [1, 2, 4, 8])
    console.log(
      `${more} workers with a core each: ${Math.round(writesOf({ own, others }, more))} creates/s predicted, one client each; the primary at most ${Math.round(1000 / primary)}/s`,
    )
}
client.close()
for (const { running } of servers) await running.stop()
shares.remove()
const [base, ...others] = servers
for (const { count, rates } of others)
  console.log(`${count} workers against ${base!.count}: ${(median(rates) / median(base!.rates)).toFixed(2)} times`)

import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { flagsOf } from '../golden/server-flags.js'
import { type RunningServer, startOrch } from '../support/start-orch.js'
import { childrenOf } from '../workers/processes.js'
import { BenchServer, kibPayload } from './bench-server.js'
import { LoadClient } from './load-client.js'
import { median } from './process-figures.js'
import { capacity, rawRate, serverCpu, type WorkerRun } from './worker-capacity.js'

/**
 * `npm run bench:workers -- [--workers 1,2] [--clients 64] [--seconds 5] [--reps 3] [--cores n]`
 *
 * GETs of one object at a time from servers with different numbers of workers, side by side in turns. The load generator
 * needs CPU of the same machine, so two figures are printed: the rate as measured, and the capacity of the server with the
 * generator's share accounted for (see worker-capacity.ts). Noise is what other processes of the machine used, in % of a core.
 */
const text = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    workers: { ...text, default: '1,2' },
    clients: { ...text, default: '64' },
    seconds: { ...text, default: '5' },
    reps: { ...text, default: '3' },
    cores: text,
  },
})
const cores = Number(values.cores ?? availableParallelism())
const [clients, seconds, repetitions] = [Number(values.clients), Number(values.seconds), Number(values.reps)]
const objects = 1024
const warmUpRequests = 20_000

const client = new LoadClient()
const flags = await flagsOf('base')
interface Measured {
  readonly count: number
  readonly running: RunningServer
  readonly server: BenchServer
  readonly namespace: string
  readonly runs: WorkerRun[]
}
const servers: Measured[] = []
for (const count of values.workers.split(',').map(Number)) {
  const running = await startOrch({ flags: [...flags, `--workers=${count}`] })
  const pids = [running.pid, ...childrenOf(running.pid)]
  const server = new BenchServer({ url: running.url, token: 'admintoken', pids }, client)
  const namespace = await server.fill('workers', objects)
  servers.push({ count, running, server, namespace, runs: [] })
}

const percent = (part: number, whole: number) => `${Math.round((part / whole) * 100)} %`
const get = ({ server, namespace }: Measured, until: { seconds: number } | { count: number }) => {
  const shape = { namespace, size: kibPayload, first: 0, objects, salt: 0 }
  return client.do('load', { ...shape, target: server.target, operation: 'get', clients, ...until })
}
console.log(`${cores} cores, ${clients} clients, ${seconds} s each`)
// The first requests are served by code that is not compiled yet.
for (const each of servers) await get(each, { count: warmUpRequests * each.count })
for (let repetition = 0; repetition < repetitions; repetition++)
  for (const each of servers) {
    const result = await get(each, { seconds })
    const { wallMs, clientCpuMs: generatorCpuMs, serverCpuMsEach: serverCpuMs } = result
    const run = { requests: result.latencies.length, wallMs, serverCpuMs, generatorCpuMs }
    const noise = Math.max(0, result.machineBusyMs - generatorCpuMs - result.serverCpuMs)
    each.runs.push(run)
    console.log(
      `workers ${each.count}: raw ${Math.round(rawRate(run))} GET/s, accounted ${Math.round(capacity(run, cores))} GET/s, ` +
        `server ${(serverCpu(run) / run.requests).toFixed(3)} ms CPU each (${serverCpuMs.map(ms => percent(ms, wallMs)).join(' + ')}), ` +
        `generator ${percent(generatorCpuMs, wallMs)}, noise ${percent(noise, wallMs)}`,
    )
  }
client.close()
const [base] = servers
for (const { count, runs, running } of servers) {
  await running.stop()
  if (!base || count === base.count) continue
  const times = (of: (run: WorkerRun) => number) => (median(runs.map(of)) / median(base.runs.map(of))).toFixed(2)
  console.log(
    `${count} workers against ${base.count}: raw ${times(rawRate)} times, accounted ${times(run => capacity(run, cores))} times`,
  )
}

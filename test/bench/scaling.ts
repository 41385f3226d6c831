import { statSync } from 'node:fs'
import { join } from 'node:path'
import { startCluster } from '../../plugins/storage-etcd/testing/etcd-cluster.js'
import { flagsOf } from '../golden/server-flags.js'
import { type RunningServer, startOrch } from '../support/start-orch.js'
import { childrenOf } from '../workers/processes.js'
import { BenchServer, kibPayload } from './bench-server.js'
import { LoadClient } from './load-client.js'
import { cpuMs, privateMiB } from './process-figures.js'
import { type Costs, predictions } from './scaling-model.js'

/**
 * `npm run bench:scaling`: measures the cost of operations, predicts the cost at larger sizes, and runs the sizes that fit
 * this machine to check the predictions. Costs are CPU time, which a load generator on the same machine hardly affects.
 */
const flags = await flagsOf('base')
const client = new LoadClient()
const loads: LoadClient[] = [client]
const [objects, clients] = [10_000, 64]
const shape = { size: kibPayload, first: 0, objects, salt: 0, clients }

const check = (what: string, predicted: number, measured: number, unit: string) =>
  console.log(
    `${what.padEnd(48)} predicted ${predicted.toFixed(2)}, measured ${measured.toFixed(2)} ${unit} (${((measured / predicted) * 100).toFixed(0)} %)`,
  )

interface Served {
  readonly running: RunningServer
  readonly bench: BenchServer
}
const serve = async (extra: readonly string[] = []): Promise<Served> => {
  const running = await startOrch({ flags: [...flags, ...extra], isBundled: true, limitMs: 120_000 })
  return { running, bench: new BenchServer({ url: running.url, token: 'admintoken', pids: [running.pid] }, client) }
}
const perOperation = ({ serverCpuMs, latencies }: { serverCpuMs: number; latencies: Float64Array }) =>
  serverCpuMs / latencies.length
const gets = async ({ bench }: Served, namespace: string) => {
  const work = { ...shape, target: bench.target, operation: 'get', namespace } as const
  await client.do('load', { ...work, count: 10_000 })
  return perOperation(await client.do('load', { ...work, count: 20_000 }))
}
const creates = async ({ bench }: Served, what: string, from = client) => {
  const work = { ...shape, target: bench.target, operation: 'create', namespace: await bench.namespace(what) } as const
  return from.do('load', { ...work, count: objects })
}
const listCpu = async ({ bench }: Served, namespace: string, items: number) => {
  const lists = Math.ceil(200_000 / items)
  // The first ones run before the code is optimized.
  for (let count = 0; count < lists; count++) await bench.verify(namespace, items)
  const before = cpuMs(bench.target.pids)
  for (let count = 0; count < lists; count++) await bench.verify(namespace, items)
  return (cpuMs(bench.target.pids) - before) / lists
}

/** Watchers of a small collection, and the cost of each watcher and event. */
async function watched({ bench, running }: Served, watchers: number) {
  const what = `watch-${watchers}`
  const namespace = await bench.fill(what, 20)
  const version = await bench.verify(namespace, 20)
  const events = Math.max(20, Math.ceil(100_000 / watchers))
  const memory = privateMiB([running.pid])
  const opening = cpuMs([running.pid])
  await client.do('openWatches', { target: bench.target, namespace, version, watchers, events })
  const opened = cpuMs([running.pid]) - opening
  const grown = privateMiB([running.pid]) - memory
  const before = cpuMs([running.pid])
  const writer = new LoadClient()
  loads.push(writer)
  const { acknowledged } = await writer.do('write', {
    target: bench.target,
    namespace,
    objects: 20,
    events,
    perSecond: 0,
  })
  await client.do('finishWatches', { acknowledged, limitMs: 60_000 })
  const cpu = cpuMs([running.pid]) - before
  return { eventCpuMs: cpu / (events * watchers), openCpuMs: opened / watchers, kib: (grown * 1024) / watchers }
}

async function embedded(): Promise<Omit<Costs, 'etcd'>> {
  const server = await serve()
  await creates(server, 'warm')
  const create = perOperation(await creates(server, 'create'))
  const namespace = `${await server.bench.namespace('create')}`
  const get = await gets(server, namespace)
  const list = (await listCpu(server, namespace, objects)) / objects
  const bytes = statSync(join(server.running.dataDir, 'store', 'data.mdb')).size / (2 * objects)
  const large = await server.bench.fill('large', 30_000)
  check('list of 30,000, CPU', list * 30_000, await listCpu(server, large, 30_000), 'ms')
  check('get with 50,000 stored, CPU', get, await gets(server, large), 'ms')
  await server.running.stop()
  const { idleMiB, ...watch } = await watchers()
  const costs = { get, create, list, bytes, idleMiB, watch }
  console.log('one server, CPU in ms:', costs)
  return costs
}

/** On fresh servers, because garbage would hide the memory of a watcher. */
async function watchers() {
  const small = await serve()
  const idleMiB = privateMiB([small.running.pid])
  const watch = await watched(small, 1000)
  await small.running.stop()
  const large = await serve()
  const crowd = await watched(large, 3000)
  await large.running.stop()
  check('3,000 watchers: an event for one of them', watch.eventCpuMs * 1e3, crowd.eventCpuMs * 1e3, 'us')
  check('3,000 watchers: memory of one', watch.kib, crowd.kib, 'KiB')
  check('3,000 watchers: opening one, CPU', watch.openCpuMs, crowd.openCpuMs, 'ms')
  return { idleMiB, ...watch }
}

async function onEtcd(): Promise<Costs['etcd']> {
  const before = new Set(childrenOf(process.pid))
  const cluster = await startCluster()
  const member = childrenOf(process.pid).find(pid => !before.has(pid))!
  const extra = ['--storage-engine=etcd', `--etcd-servers=${cluster.servers.join()}`]
  const first = await serve(extra)
  const second = await serve(extra)
  const pids = [first.running.pid, second.running.pid, member]
  const spent = async (work: () => Promise<unknown>) => {
    const used = pids.map(pid => cpuMs([pid]))
    await work()
    return pids.map((pid, index) => cpuMs([pid]) - used[index]!)
  }
  await creates(first, 'warm')
  await creates(second, 'warm-too')
  const [own, others, members] = (await spent(() => creates(first, 'create'))).map(ms => ms / objects)
  const get = await gets(first, await first.bench.namespace('create'))
  const costs = { get, own: own!, others: others!, member: members! }
  console.log('on etcd, CPU in ms:', costs)
  const beside = new LoadClient()
  loads.push(beside)
  const both = await spent(() => Promise.all([creates(first, 'both-a'), creates(second, 'both-b', beside)]))
  check(
    'two servers that both write: CPU of one',
    (own! + others!) / 2,
    (both[0]! + both[1]!) / 2 / (2 * objects),
    'ms',
  )
  check('the same: CPU of the member', members!, both[2]! / (2 * objects), 'ms')
  await first.running.stop()
  await second.running.stop()
  await cluster.stop()
  return costs
}

const costs: Costs = { ...(await embedded()), etcd: await onEtcd() }
for (const line of predictions(costs)) console.log(line)
for (const load of loads) load.close()

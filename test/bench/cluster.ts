import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type EtcdCluster, startCluster } from '../../plugins/storage-etcd/testing/etcd-cluster.js'
import { startOrch } from '../support/start-orch.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { childrenOf } from '../workers/processes.js'
import {
  fullRate,
  type Kind,
  kinds,
  leaseOf,
  leases,
  nodeCount,
  nodeName,
  podRequest,
  podSteps,
  podsPerSecond,
  spaceNames,
  statusOf,
  titles,
} from './cluster-load.js'
import type { RequestParts } from './config-map-load.js'
import type { Asker, Target } from './connection.js'
import { ConnectionPool } from './connection-pool.js'
import { Http2Connection } from './http2-connection.js'
import { cpuMs, monotonicMs, percentile, privateMiB, threadsCpuMs } from './process-figures.js'

/**
 * `npm run bench:cluster -- [--fraction 0.05] [--seconds 10] [--no-node-watches] [--etcd]`
 *
 * A fraction of the API load of the largest clusters that were ever shown: 130,000 nodes that renew their Leases every ten
 * seconds, and 1,000 Pods a second that are created, bound, run and deleted, with their events; each node watches its own
 * Pods, and the loops watch everything. First each kind of request alone, at its fixed rate: the CPU of the server for one.
 * Then all together. The number of cores for the whole load is the sum over the kinds of their full rate times the CPU of one
 * request, and, to check it, the CPU of everything together divided by the fraction.
 */
const { values } = parseArgs({
  options: {
    fraction: { type: 'string', default: '0.05' },
    seconds: { type: 'string', default: '10' },
    'no-node-watches': { type: 'boolean', default: false },
    etcd: { type: 'boolean', default: false },
  },
})
const [fraction, duration] = [Number(values.fraction), Number(values.seconds)]
const nodes = Math.max(1, Math.round(nodeCount * fraction))
const podCount = Math.max(1, Math.round(podsPerSecond * fraction * duration))
const warmUpPods = 300
const atOnce = 32
/** Beyond this number of requests that wait, the server is too slow for the rate, and the load waits as well. */
const maxWaiting = 512
const watchesPerConnection = 500
/** How long a Pod stays in each step while everything runs together. */
const stepMs = 100

const folder = temporaryFolder()
const tokens = folder.write('tokens.csv', 'admintoken,admin,1,"system:masters"\n')
const before = new Set(childrenOf(process.pid))
const etcd: EtcdCluster | undefined = values.etcd ? await startCluster() : undefined
const member = childrenOf(process.pid).filter(pid => !before.has(pid))
const engine = etcd ? ['--storage-engine=etcd', `--etcd-servers=${etcd.servers.join()}`] : []
const flags = ['--vendor=kubernetes', `--token-auth-file=${tokens}`, '--controllers=-*', ...engine]
const server = await startOrch({ flags, isBundled: true, limitMs: 120_000 })
const target: Target = { url: server.url, token: 'admintoken', pids: [server.pid] }
const pool = new ConnectionPool(target)

const versions: (string | undefined)[] = []
const waits = new Map<Kind, number[]>()
async function send(kind: Kind, [method, path, body, type]: RequestParts, due: number) {
  const { status, body: answer } = await pool.request(method, path, { body, type })
  if (status !== statusOf[kind]) throw new Error(`${method} ${path}: ${status} ${answer.toString().slice(0, 300)}`)
  waits.get(kind)!.push(monotonicMs() - due)
  return answer
}
async function renew(node: number, due: number) {
  const answer = await send('lease', ['PUT', `${leases}/${nodeName(node)}`, leaseOf(node, versions[node])], due)
  versions[node] = versionIn(answer)
}
const versionIn = (body: Buffer) => /"resourceVersion":"(\d+)"/.exec(body.toString('latin1', 0, 600))?.[1]

/** Calls `one` at a fixed rate; resolves when all are done. */
async function paced(count: number, perSecond: number, one: (index: number, due: number) => Promise<unknown>) {
  const started = monotonicMs()
  const running = new Set<Promise<unknown>>()
  for (let index = 0; index < count; index++) {
    const due = started + (index * 1000) / perSecond
    const early = due - monotonicMs()
    if (early > 1) await sleep(early)
    while (running.size >= maxWaiting) await Promise.race(running)
    const work = one(index, due).finally(() => running.delete(work))
    running.add(work)
  }
  await Promise.all(running)
}
/** As fast as the server can, a few at a time. */
async function together(count: number, one: (index: number) => Promise<unknown>) {
  let next = 0
  const lane = async () => {
    for (let index = next++; index < count; index = next++) await one(index)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}

/** Watches count the bytes of their events. */
let eventBytes = 0
const askers: Asker[] = []
async function openWatch(asker: Asker, path: string) {
  await new Promise<void>((resolve, reject) => {
    const onHead = (status: number) => (status === 200 ? resolve() : reject(new Error(`watch ${path}: ${status}`)))
    const onBody = (piece: Buffer) => (eventBytes += piece.length)
    asker.request('GET', path, { onHead, onBody }).catch(reject)
  })
}
/** Those of the scheduler, of the control loops and of an operator; then those of the nodes. */
async function openWatches() {
  const loops = ['pods', 'pods', 'pods', 'nodes', 'events'].map(resource => `/api/v1/${resource}?watch=1`)
  for (const path of [...loops, '/apis/coordination.k8s.io/v1/leases?watch=1']) {
    const asker = new Http2Connection(target)
    askers.push(asker)
    await openWatch(
      asker,
      `${path}&resourceVersion=0&allowWatchBookmarks=true&sendInitialEvents=false&resourceVersionMatch=NotOlderThan`,
    )
  }
  if (values['no-node-watches']) return
  const shared = Array.from({ length: Math.ceil(nodes / watchesPerConnection) }, () => new Http2Connection(target))
  askers.push(...shared)
  await together(nodes, node =>
    openWatch(
      shared[node % shared.length]!,
      `/api/v1/pods?watch=1&fieldSelector=spec.nodeName%3D${nodeName(node)}&allowWatchBookmarks=true`,
    ),
  )
}

interface Spent {
  readonly cpu: number
  readonly member: number
  readonly seconds: number
}
async function spent(work: () => Promise<unknown>): Promise<Spent> {
  const [started, used, usedByMember] = [monotonicMs(), threadsCpuMs(server.pid), cpuMs(member)]
  await work()
  const cpu = threadsCpuMs(server.pid) - used
  return { cpu, member: cpuMs(member) - usedByMember, seconds: (monotonicMs() - started) / 1000 }
}

let nextPod = 0
async function podLife(pod: number) {
  const repeats = new Map<Kind, number>()
  for (const step of podSteps) {
    const repeat = repeats.get(step) ?? 0
    repeats.set(step, repeat + 1)
    await send(step, podRequest(step, pod, repeat, nodes), monotonicMs())
    if (stepPause > 0) await sleep(stepPause)
  }
}
let stepPause = 0

/** All requests of one kind, of Pods that have had all earlier kinds. */
async function alone(kind: Kind, first: number): Promise<Spent> {
  waits.set(kind, [])
  const rate = fullRate(kind) * fraction
  if (kind === 'lease')
    return spent(() => paced(Math.round(rate * duration), rate, (index, due) => renew(index % nodes, due)))
  const repeats = podSteps.filter(step => step === kind).length
  const one = (index: number, due: number) => {
    const [pod, repeat] = [first + (index % podCount), Math.floor(index / podCount)]
    return send(kind, podRequest(kind, pod, repeat, nodes), due)
  }
  return spent(() => paced(podCount * repeats, rate, one))
}

const cell = (value: number, digits: number) => value.toFixed(digits).padStart(10)
const line = (title: string, ...cells: string[]) => console.log(`${title.padEnd(30)}${cells.join('')}`)
const percentilesOf = (kind: Kind) => {
  const sorted = Float64Array.from(waits.get(kind)!).sort()
  return [cell(percentile(sorted, 0.5), 1), cell(percentile(sorted, 0.99), 1)]
}

try {
  for (const kind of kinds) waits.set(kind, [])
  for (const name of spaceNames) {
    await pool.post('/api/v1/namespaces', JSON.stringify({ metadata: { name } }))
    await pool.post(`/api/v1/namespaces/${name}/serviceaccounts`, JSON.stringify({ metadata: { name: 'default' } }))
  }
  await together(nodes, async node => {
    const { body, status } = await pool.request('POST', leases, { body: leaseOf(node) })
    if (status !== 201) throw new Error(`a Lease cannot be created: ${status} ${body.toString()}`)
    versions[node] = versionIn(body)
  })
  const idleMiB = privateMiB([server.pid])
  const opening = await spent(openWatches)
  const watches = values['no-node-watches'] ? 0 : nodes
  console.log(
    `${nodes} nodes with ${watches} watches of their Pods, ${opening.cpu.toFixed(0)} ms of CPU to open; ${idleMiB.toFixed(0)} MiB before, ${privateMiB([server.pid]).toFixed(0)} MiB with them`,
  )
  // The first requests run before the code is optimized.
  await together(warmUpPods, () => podLife(nextPod++))
  await together(Math.min(nodes, 3000), node => renew(node, monotonicMs()))
  await sleep(1000)
  const idle = await spent(() => sleep(3000))
  const idleShare = idle.cpu / idle.seconds / 1000
  console.log(`at rest the server takes ${(idleShare * 100).toFixed(1)} % of a core, which is not counted below`)
  line('each kind alone', '    whole/s', '  offered/s', '   CPU ms', '    p50 ms', '    p99 ms', '     cores')
  const first = nextPod
  nextPod += podCount
  let cores = 0
  let memberCores = 0
  for (const kind of kinds) {
    const used = await alone(kind, first)
    const count = waits.get(kind)!.length
    const each = Math.max(0, used.cpu - idle.cpu * (used.seconds / idle.seconds)) / count
    const needed = (each * fullRate(kind)) / 1000
    cores += needed
    memberCores += (used.member / count) * (fullRate(kind) / 1000)
    line(
      titles[kind],
      cell(fullRate(kind), 0),
      cell(count / used.seconds, 0),
      cell(each, 3),
      ...percentilesOf(kind),
      cell(needed, 2),
    )
  }
  console.log(`the whole load takes ${cores.toFixed(1)} cores of servers by the sum of its kinds`)
  if (etcd) console.log(`and ${memberCores.toFixed(1)} cores of the member of etcd`)

  for (const kind of kinds) waits.set(kind, [])
  stepPause = stepMs
  const bytes = eventBytes
  const all = await spent(() =>
    Promise.all([
      paced(Math.round(fullRate('lease') * fraction * duration), fullRate('lease') * fraction, (index, due) =>
        renew(index % nodes, due),
      ),
      paced(podCount, podsPerSecond * fraction, () => podLife(nextPod++)),
    ]),
  )
  const isLate = all.seconds > 1.5 * duration + (podSteps.length * stepMs) / 1000
  line('all together', '       done', '    p50 ms', '    p99 ms')
  for (const kind of kinds) line(titles[kind], cell(waits.get(kind)!.length, 0), ...percentilesOf(kind))
  const share = all.cpu / duration / 1000
  console.log(
    `${all.seconds.toFixed(1)} s, ${(share * 100).toFixed(0)} % of a core at a fraction of ${fraction}: ${(share / fraction).toFixed(1)} cores for the whole load; ${((eventBytes - bytes) / 2 ** 20).toFixed(1)} MiB of events; ${privateMiB([server.pid]).toFixed(0)} MiB`,
  )
  if (isLate) console.log('the machine could not carry this rate: take a smaller --fraction')
} finally {
  for (const asker of askers) asker.close()
  pool.close()
  await server.stop()
  await etcd?.stop()
  folder.remove()
}

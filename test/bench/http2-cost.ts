import { parseArgs } from 'node:util'
import { startOrch } from '../support/start-orch.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { collectionPath } from './config-map-load.js'
import { type Asker, Connection, type Target } from './connection.js'
import { Http2Connection } from './http2-connection.js'
import { cpuMs, median, monotonicMs } from './process-figures.js'
import { WatchCrowd } from './watch-crowd.js'

/**
 * `node dist/test/bench/http2-cost.js [--rounds 5] [--gets 4000] [--writes 40] [--watchers 1000] [--connections 10]`
 *
 * The CPU time of a server per `get`, per list and per watch event, over HTTP/1.1 and HTTP/2 in turn.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    gets: { type: 'string', default: '4000' },
    writes: { type: 'string', default: '40' },
    watchers: { type: 'string', default: '1000' },
    connections: { type: 'string', default: '10' },
  },
})
const [rounds, gets, writes, watchers, connections] = [
  values.rounds,
  values.gets,
  values.writes,
  values.watchers,
  values.connections,
].map(Number) as [number, number, number, number, number]
const atOnce = 64
const objects = 2000

const folder = temporaryFolder()
const tokens = folder.write('tokens.csv', 'admintoken,admin,1,"system:masters"\n')
const server = await startOrch({ flags: [`--token-auth-file=${tokens}`, '--controllers=-*'], isBundled: true })
const target: Target = { url: server.url, token: 'admintoken', pids: [server.pid] }
const path = collectionPath('default')
const nameOf = (at: number) => `object-${at % objects}`
const bodyOf = (at: number, salt: number) =>
  JSON.stringify({ metadata: { name: nameOf(at) }, data: { salt: `${salt}`, text: 'x'.repeat(1000) } })

interface Figures {
  readonly cpuMs: number
  readonly ms: number
}
async function measured(work: () => Promise<unknown>): Promise<Figures> {
  const [cpuBefore, before] = [cpuMs(target.pids), monotonicMs()]
  await work()
  return { cpuMs: cpuMs(target.pids) - cpuBefore, ms: monotonicMs() - before }
}

/** Sends requests, 64 at a time or sequentially, distributed over the connections. */
async function load(
  askers: readonly Asker[],
  count: number,
  ask: (asker: Asker, at: number) => Promise<unknown>,
  together = atOnce,
) {
  let next = 0
  const work = async (worker: number) => {
    const asker = askers[worker % askers.length]!
    for (let at = next++; at < count; at = next++) await ask(asker, at)
  }
  await Promise.all(Array.from({ length: together }, (_, worker) => work(worker)))
}
const get = async (asker: Asker, at: number) => {
  const { status } = await asker.request('GET', `${path}/${nameOf(at)}`)
  if (status !== 200) throw new Error(`get: ${status}`)
}
const list = async (asker: Asker) => {
  const { status, bytes } = await asker.request('GET', path)
  if (status !== 200 || bytes < objects * 1000) throw new Error(`list: ${status}, ${bytes} bytes`)
}

let salt = 0
/** Changes objects, eight at a time, until every watch has received every change. */
async function changes(crowd: WatchCrowd, writer: readonly Asker[]) {
  const put = async (asker: Asker, at: number) => {
    const body = bodyOf(at, ++salt)
    const { status } = await asker.request('PUT', `${path}/${nameOf(at)}`, { body })
    if (status !== 200) throw new Error(`put: ${status}`)
    await crowd.delivered()
  }
  await load(writer, writes, put, 8)
}

interface Variant {
  readonly name: string
  readonly askers: readonly Asker[]
  crowd(): Promise<WatchCrowd>
}
/** Watches of future changes, without the initial state. */
async function crowdOf(connect?: (watcher: number) => Asker): Promise<WatchCrowd> {
  const { body } = await one[0]!.request('GET', `${path}?limit=1`)
  const { resourceVersion } = JSON.parse(body.toString()).metadata
  return WatchCrowd.open(target, `${path}?watch=1&resourceVersion=${resourceVersion}`, watchers, connect)
}
const one = await Promise.all(Array.from({ length: atOnce }, () => Connection.open(target)))
const http2 = (count: number) => Array.from({ length: count }, () => new Http2Connection(target))
const variants: Variant[] = [
  { name: 'HTTP/1.1', askers: one, crowd: () => crowdOf() },
  {
    name: 'HTTP/2',
    askers: http2(1),
    crowd: () => {
      const shared = http2(connections)
      return crowdOf(at => shared[at % connections]!)
    },
  },
]

const figures = new Map<string, number[]>()
const note = (what: string, value: number) => figures.set(what, [...(figures.get(what) ?? []), value])
try {
  await load(one, objects, async (asker, at) => asker.request('POST', path, { body: bodyOf(at, 0) }))
  // The first round only warms up.
  for (let round = 0; round <= rounds; round++)
    for (const { name, askers } of variants) {
      const read = await measured(() => load(askers, gets, get))
      const listed = await measured(() => load(askers, 20, list, 1))
      if (round === 0) continue
      note(`get, ${name}: µs of CPU`, (read.cpuMs * 1000) / gets)
      note(`get, ${name}: a second`, (gets * 1000) / read.ms)
      note(`list of ${objects}, ${name}: ms of CPU`, listed.cpuMs / 20)
    }
  for (const { name, crowd } of variants) {
    const opening = monotonicMs()
    const watching = await crowd()
    note(`${watchers} watches opened, ${name}: ms`, monotonicMs() - opening)
    for (let round = 0; round <= rounds; round++) {
      const seen = await measured(() => changes(watching, one))
      if (round === 0) continue
      note(`event, ${name}: µs of CPU`, (seen.cpuMs * 1000) / (writes * watchers))
      note(`event, ${name}: a second`, (writes * watchers * 1000) / seen.ms)
    }
    watching.close()
  }
  for (const [what, each] of figures) console.log(`${what.padEnd(40)} ${median(each).toFixed(1)}`)
} finally {
  for (const { askers } of variants) for (const asker of askers) asker.close()
  await server.stop()
  folder.remove()
}

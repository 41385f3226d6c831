import { parseArgs } from 'node:util'
import { BenchServer, kibPayload } from './bench-server.js'
import type { LoadName } from './client-load.js'
import { LoadClient } from './load-client.js'
import { median, percentile } from './process-figures.js'
import { buildOf, ownBuild, startBuild } from './start-build.js'

/**
 * `npm run bench:compare -- <commit or built folder> [--only get-c64,create-c64] [--starts 4] [--rounds 10] [--kubernetes-version 1.36]`
 *
 * CPU per request of this build compared with another commit, which is built first. Machines vary by more than 3 % from
 * minute to minute and servers from start to start, so both builds run concurrently and alternate in short rounds; only
 * adjacent rounds are compared, the order changes from round to round and from start to start, and the
 * medians of the starts are printed to show the spread. The duration of a round and the slowest hundredth of its requests
 * are compared in the same way; they are meaningful only on a quiet machine.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    starts: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '10' },
    'kubernetes-version': { type: 'string' },
  },
})
const [other] = positionals
if (other === undefined) throw new Error('name the commit to compare with: npm run bench:compare -- <commit>')

interface Work {
  readonly name: string
  readonly operation: LoadName | 'list'
  readonly clients: number
  /** Requests of one round; of lists, the number of whole collections that are read. */
  readonly requests: number
  readonly query?: string
  /** Instead: the lists of a round select by a label that none has selected by before, and no object has. */
  readonly selectsAnew?: boolean
  readonly limit?: number
  /** Number of items of a list, if a selector leaves some out. */
  readonly expected?: number
}
const work: readonly Work[] = [
  { name: 'get-c64', operation: 'get', clients: 64, requests: 4000 },
  { name: 'create-c1', operation: 'create', clients: 1, requests: 400 },
  { name: 'create-c64', operation: 'create', clients: 64, requests: 2000 },
  { name: 'update-c16', operation: 'put', clients: 16, requests: 1500 },
  { name: 'mergepatch-c16', operation: 'patch', clients: 16, requests: 1500 },
  { name: 'apply-c16', operation: 'apply', clients: 16, requests: 1500 },
  { name: 'lease-c16', operation: 'renew', clients: 16, requests: 1500 },
  { name: 'status-c16', operation: 'status', clients: 16, requests: 1500 },
  { name: 'list-c8', operation: 'list', clients: 8, requests: 8 },
  { name: 'list-pages500', operation: 'list', clients: 1, requests: 4, limit: 500 },
  {
    name: 'list-label1pct',
    operation: 'list',
    clients: 1,
    requests: 100,
    query: 'labelSelector=pick%3Dyes',
    expected: 100,
  },
  { name: 'list-label-first', operation: 'list', clients: 1, requests: 3, selectsAnew: true, expected: 0 },
]
const chosen = work.filter(({ name }) => values.only === undefined || values.only.split(',').includes(name))
const objects = 1024
const listedObjects = 10_000
const warmUpRounds = 3

interface Round {
  /** CPU of a request in µs. */
  readonly cpu: number
  readonly wallMs: number
  readonly p99: number
}

/** One server and the load of one scenario. */
class Side {
  readonly #server: BenchServer
  readonly #work: Work
  readonly #namespace: string
  #next = 0

  private constructor(server: BenchServer, toDo: Work, namespace: string) {
    this.#server = server
    this.#work = toDo
    this.#namespace = namespace
  }

  static async prepare(server: BenchServer, toDo: Work): Promise<Side> {
    if (toDo.operation === 'create') return new Side(server, toDo, await server.namespace(toDo.name))
    if (toDo.operation === 'renew' || toDo.operation === 'status') {
      await server.fillNodes(objects)
      return new Side(server, toDo, await server.namespace('nodes'))
    }
    const isList = toDo.operation === 'list'
    const namespace = await server.fill(isList ? 'list' : 'rate', isList ? listedObjects : objects)
    return new Side(server, toDo, namespace)
  }

  async round(): Promise<Round> {
    const { requests } = this.#work
    const { serverCpuMs, wallMs, latencies } = await this.#load()
    return { cpu: (serverCpuMs / requests) * 1000, wallMs, p99: percentile(latencies, 0.99) }
  }

  #load() {
    const { operation, clients, requests, limit, selectsAnew, expected = listedObjects } = this.#work
    const { client, target } = this.#server
    const namespace = this.#namespace
    if (operation === 'list') {
      const times = requests / clients
      const query = selectsAnew ? `labelSelector=label-${this.#next++}%3Dyes` : this.#work.query
      const what = { ...(query ? { query } : {}), ...(limit ? { limit } : {}) }
      return client.do('list', { target, namespace, clients, times, expected, ...what })
    }
    const first = operation === 'create' ? this.#next : 0
    this.#next += requests
    const shape = { namespace, size: kibPayload, first, objects, salt: this.#next * 1000 }
    return client.do('load', { ...shape, target, operation, clients, count: requests })
  }

  empty(): Promise<number> {
    return this.#server.empty(this.#namespace)
  }
}

const own = new Map<string, number[]>()
const theirs = new Map<string, number[]>()
const ratios = new Map<string, number[][]>()
const wallRatios = new Map<string, number[]>()
const p99Ratios = new Map<string, number[]>()
const append = (to: Map<string, number[]>, name: string, value: number) =>
  to.set(name, [...(to.get(name) ?? []), value])
const client = new LoadClient()
const folders = [ownBuild, buildOf(other)]
for (let start = 0; start < Number(values.starts); start++) {
  const isSwapped = start % 2 === 1
  const started = []
  for (const folder of isSwapped ? [...folders].reverse() : folders)
    started.push(await startBuild(folder, { version: values['kubernetes-version'] }))
  const servers = (isSwapped ? [...started].reverse() : started).map(
    ({ url, pids }) => new BenchServer({ url, token: 'admintoken', pids }, client),
  )
  for (const toDo of chosen) {
    const sides: Side[] = []
    for (const server of servers) sides.push(await Side.prepare(server, toDo))
    const [us, them] = sides as [Side, Side]
    for (let round = 0; round < warmUpRounds; round++) for (const side of sides) await side.round()
    const compared: number[] = []
    for (let round = 0; round < Number(values.rounds); round++) {
      const isFirst = (round + start) % 2 === 0
      const before = isFirst ? await us.round() : await them.round()
      const after = isFirst ? await them.round() : await us.round()
      const [mine, other] = isFirst ? [before, after] : [after, before]
      compared.push(mine.cpu / other.cpu)
      append(own, toDo.name, mine.cpu)
      append(theirs, toDo.name, other.cpu)
      append(wallRatios, toDo.name, mine.wallMs / other.wallMs)
      append(p99Ratios, toDo.name, mine.p99 / other.p99)
    }
    ratios.set(toDo.name, [...(ratios.get(toDo.name) ?? []), compared])
    for (const side of sides) await side.empty()
  }
  for (const { stop } of started) await stop()
}
client.close()

console.log(
  '| CPU of a request | this build µs | the other µs | ratio | middle half of the rounds | medians of the starts | time | p99 |',
)
console.log('| --- | --- | --- | --- | --- | --- | --- | --- |')
for (const { name } of chosen) {
  const starts = ratios.get(name) ?? []
  const all = starts.flat().sort((left, right) => left - right)
  const [low, high] = [percentile(all, 0.25), percentile(all, 0.75)].map(share => share.toFixed(3))
  const micros = (numbers: readonly number[] = []) => median(numbers).toFixed(0)
  console.log(
    `| ${name} | ${micros(own.get(name))} | ${micros(theirs.get(name))} | **${median(all).toFixed(3)}** | ${low} to ${high} | ` +
      `${starts.map(rounds => median(rounds).toFixed(2)).join(', ')} | ${median(wallRatios.get(name) ?? []).toFixed(3)} | ` +
      `${median(p99Ratios.get(name) ?? []).toFixed(3)} |`,
  )
}

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { flagsOf } from '../golden/server-flags.js'
import { startOrch } from '../support/start-orch.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { collectionPath, operations } from './config-map-load.js'
import { ConnectionPool } from './connection-pool.js'
import { longestTurn, probed } from './longest-turn.js'

/**
 * `node dist/test/bench/plugin-swap.js [--rate 5000] [--swaps 20] [--isolation in-process] [--creates 10]`
 *
 * Requests are sent at a fixed rate, whether or not earlier ones were answered, while a plugin with a type, a control, a route and a loop is
 * replaced again and again. Prints how many failed, how long they took from the moment they were due, and the longest turn of the server
 * in CPU time, with and without the swaps. `--creates` is the share of creates in percent; the others are gets.
 */
const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '5000' },
    swaps: { type: 'string', default: '20' },
    isolation: { type: 'string', default: 'in-process' },
    creates: { type: 'string', default: '10' },
  },
})
const rate = Number(values.rate)
const swaps = Number(values.swaps)
const creates = Number(values.creates)
const namespace = 'bench'
const shape = { namespace, size: 1000, first: 0, objects: 0, salt: 0 }
const connections = 64
const betweenSwapsMs = 250
const warmUpMs = 3000
const mostHeldMs = 50

const folder = temporaryFolder()
const packages = join(folder.path, 'plugins')
mkdirSync(packages)
const source = (
  version: number,
) => `import { definePlugin, defineResource, embedded, field, Kind, strategyForSpec, Struct, Text } from 'orch/sdk'
const Lamp = Kind('lamps.v1.Lamp', {
  spec: embedded(2, Struct('lamps.v1.LampSpec', { color: field(1, Text()), version${version}: field(2, Text()) })),
})
export default definePlugin({
  name: 'lamps',
  register(to) {
    to.resource(defineResource({
      group: 'lamps.test', kind: 'Lamp', resource: 'lamps', namespaced: false,
      versions: [{ name: 'v1', schema: Lamp }],
      strategy: strategyForSpec({ validate: () => [], validateUpdate: () => [] }),
    }))
    to.admission({
      name: 'Lamps',
      phase: 'validate',
      sideEffects: 'none',
      matches: { group: '', resource: 'configmaps', operations: ['create'] },
      review: () => undefined,
    })
    to.controller({ name: 'lamp-loop', rules: [], start: () => async () => {} })
  },
})
`
for (const version of [1, 2]) writeFileSync(join(packages, `lamps-${version}.ts`), source(version))

const server = await startOrch({
  flags: [...(await flagsOf('base')), '--plugin-folder', packages],
  isBundled: true,
  env: probed,
})
const target = { url: server.url, token: 'admintoken', pids: [server.pid] }
const pool = new ConnectionPool(target)
const plugins = '/apis/plugins.k8s.io/v1alpha1/plugins'

interface Figures {
  readonly latencies: number[]
  failed: number
  readonly failures: Map<string, number>
}
let serial = 0

async function send(figures: Figures, dueAt: number): Promise<void> {
  const n = ++serial
  try {
    const [, , body = ''] = operations.create(shape, n)
    const isCreate = n % 100 < creates
    const { status, body: answer } = isCreate
      ? await pool.request('POST', collectionPath(namespace), { body })
      : await pool.request('GET', `${collectionPath(namespace)}/known`)
    if (status !== (isCreate ? 201 : 200)) throw new Error(`${status} ${answer.toString('utf8').slice(0, 300)}`)
  } catch (error) {
    figures.failed++
    figures.failures.set(String(error), (figures.failures.get(String(error)) ?? 0) + 1)
  }
  figures.latencies.push(performance.now() - dueAt)
}

/** Sends requests at the rate until the work is done. A request that is due waits for a free connection. */
async function loaded(work: () => Promise<void>): Promise<Figures & { readonly perSecond: number }> {
  const figures: Figures = { latencies: [], failed: 0, failures: new Map() }
  const due: number[] = []
  let isDone = false
  let running = 0
  const carry = async () => {
    running++
    for (let next = due.shift(); next !== undefined; next = due.shift()) await send(figures, next)
    running--
  }
  const done = work().then(() => {
    isDone = true
  })
  const began = performance.now()
  for (let sent = 0; !isDone; ) {
    for (const until = ((performance.now() - began) * rate) / 1000; sent < until; sent++)
      due.push(began + (sent * 1000) / rate)
    while (running < Math.min(connections, running + due.length)) void carry()
    await sleep(1)
  }
  const perSecond = (figures.latencies.length / (performance.now() - began)) * 1000
  await done
  while (running > 0) await sleep(1)
  return { ...figures, perSecond }
}

async function swap(): Promise<void> {
  for (let turn = 0; turn < swaps; turn++) {
    await sleep(betweenSwapsMs)
    const patch = JSON.stringify({ spec: { package: `lamps-${(turn % 2) + 1}.ts` } })
    const type = 'application/merge-patch+json'
    const { body } = await pool.request('PATCH', `${plugins}/lamps`, { body: patch, type })
    await observed(JSON.parse(body.toString('utf8')).metadata.generation)
  }
}
async function observed(generation: number): Promise<void> {
  for (;;) {
    const { body } = await pool.request('GET', `${plugins}/lamps`)
    const { status = {} } = JSON.parse(body.toString('utf8'))
    if (status.observedGeneration === generation) {
      if (status.lastError !== undefined) throw new Error(JSON.stringify(status.lastError))
      return
    }
    await sleep(10)
  }
}

function print(
  name: string,
  { latencies, failed, failures, perSecond }: Awaited<ReturnType<typeof loaded>>,
  turn: number,
): void {
  const sorted = latencies.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1)
  const held = sorted.filter(ms => ms > mostHeldMs).length
  process.stdout.write(
    `${name.padEnd(14)} ${latencies.length} requests, ${perSecond.toFixed(0)}/s; failed ${failed}; held longer than ${mostHeldMs} ms: ${held}; ` +
      `p50 ${at(0.5)}, p99 ${at(0.99)}, p99.9 ${at(0.999)}, longest ${at(1)} ms; longest turn ${turn.toFixed(1)} ms of CPU\n`,
  )
  for (const [failure, count] of failures) process.stdout.write(`  ${count} × ${failure}\n`)
}

try {
  await pool.post('/api/v1/namespaces', JSON.stringify({ metadata: { name: namespace } }))
  await pool.post(
    collectionPath(namespace),
    JSON.stringify({ metadata: { name: 'known' }, data: { text: 'x'.repeat(1000) } }),
  )
  const spec = { package: 'lamps-2.ts', isolation: values.isolation }
  await pool.post(plugins, JSON.stringify({ metadata: { name: 'lamps' }, spec }))
  await observed(1)
  await loaded(() => sleep(warmUpMs))
  for (const [name, work] of [
    ['without swaps', () => sleep(swaps * betweenSwapsMs)],
    [`${swaps} swaps`, swap],
  ] as const) {
    let figures: Awaited<ReturnType<typeof loaded>> | undefined
    const turn = await longestTurn(server, async () => {
      figures = await loaded(work)
    })
    if (figures) print(name, figures, turn)
  }
} finally {
  pool.close()
  await server.stop()
  folder.remove()
}

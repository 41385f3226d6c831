import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { eventually } from '../support/eventually.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { BenchServer } from './bench-server.js'
import { bulkScenarios } from './bulk-scenarios.js'
import { ConnectionPool } from './connection-pool.js'
import { listScenarios } from './list-scenarios.js'
import { LoadClient } from './load-client.js'
import { type Measured, peerTable } from './peer-table.js'
import { cpuMs, monotonicMs, privateMiB } from './process-figures.js'
import { requestScenarios } from './request-scenarios.js'
import { isChosen, runScenarios } from './run-scenarios.js'
import type { BenchScenario, Metrics } from './scenario.js'
import { buildOf, type MeasuredServer, ownBuild, startBuild } from './start-build.js'
import { startPeer } from './start-peer.js'
import { watchScenarios } from './watch-scenarios.js'

/**
 * `npm run bench:peer -- --reference FOLDER [--peer 1.36.4] [--before COMMIT or built folder] [--only …] [--skip …] [--rounds 2]
 *   [--scale small|full] [--json FILE]`
 *
 * The peer, this build and an earlier one, on LMDB and on etcd, side by side: all servers run, and each scenario runs on one after
 * the other, so that a busy minute of the machine meets them all. FOLDER is the one of `shared/golden/reference.sh`, with a built
 * kube-apiserver and etcd.
 */
const text = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    reference: text,
    peer: { ...text, default: '1.36.4' },
    before: text,
    only: text,
    skip: text,
    rounds: { ...text, default: '2' },
    scale: { ...text, default: 'small' },
    json: text,
  },
})
const { reference } = values
if (reference === undefined) throw new Error('name the folder of the reference: --reference FOLDER')
const etcd = join(reference, 'tools/usr/bin/etcd')
const before = values.before === undefined ? undefined : buildOf(values.before)
const version = values.peer.split('.', 2).join('.')
const starts: Readonly<Record<string, () => Promise<MeasuredServer>>> = {
  peer: () => startPeer(join(reference, 'bin', values.peer, 'kube-apiserver'), etcd),
  LMDB: () => startBuild(ownBuild, { version }),
  ...(before === undefined ? {} : { 'before, LMDB': () => startBuild(before, { version }) }),
  etcd: () => startBuild(ownBuild, { version, etcd }),
  ...(before === undefined ? {} : { 'before, etcd': () => startBuild(before, { version, etcd }) }),
}
const names = Object.keys(starts)
const chosen = (name: string) => isChosen(name, values)
const isFull = values.scale === 'full'
const seconds = isFull ? 5 : 3
const settleMs = 5000
const rounds = Number(values.rounds)

const targetOf = ({ url, pids }: MeasuredServer) => ({ url, token: 'admintoken', pids })
const measured: Measured = new Map()
const record = (target: string) => (scenario: string, runs: readonly Metrics[]) => {
  const targets = measured.get(scenario) ?? new Map<string, Metrics[]>()
  measured.set(scenario, targets.set(target, [...(targets.get(target) ?? []), ...runs]))
}

/** From the start of the process to 200 from /readyz, with all CPU of its etcd, and the memory five seconds later. */
async function measureStart(name: string): Promise<void> {
  const server = await starts[name]!()
  const pool = new ConnectionPool(targetOf(server))
  await eventually(`${name} to be ready`, async () => (await pool.request('GET', '/readyz')).status === 200)
  const ready = { 'ready ms': monotonicMs() - server.startedAt, 'cpu ms': cpuMs(server.pids) }
  // A test suite starts the same programs.
  if (name === 'peer' && chosen('envtest')) record(name)('envtest', [ready])
  pool.close()
  await sleep(settleMs)
  record(name)('start', [{ ...ready, 'idle private MiB': privateMiB(server.pids) }])
  await server.stop()
}

/** The server of a test suite: the programs of `orch envtest` beside kube-apiserver, from its start to 200 from /healthz. */
async function measureEnvtest(name: string, folder: string): Promise<void> {
  const load = (path: string) => import(pathToFileURL(join(folder, 'dist/test', path)).href)
  const { writePrograms } = (await load('envtest/programs.js')) as typeof import('../envtest/programs.js')
  const { inSuite } = (await load('envtest/suite.js')) as typeof import('../envtest/suite.js')
  const home = temporaryFolder()
  let startedAt = 0
  await inSuite(
    await writePrograms(home.path),
    async ({ etcd: store, port, folder: { path, write } }) => {
      const tokens = write('tokens.csv', 'admintoken,admin,admin,"system:masters"\n')
      startedAt = monotonicMs()
      const address = [`--etcd-servers=${store}`, `--cert-dir=${path}`, `--secure-port=${port}`]
      return { argv: [...address, '--authorization-mode=RBAC', `--token-auth-file=${tokens}`] }
    },
    async ({ server: { pid } }) =>
      record(name)('envtest', [{ 'ready ms': monotonicMs() - startedAt, 'cpu ms': cpuMs([pid]) }]),
  )
  home.remove()
}

const isPreparedAlike = (one: BenchScenario, other?: BenchScenario) =>
  one.prepared !== undefined && one.prepared.what === other?.prepared?.what
/** Scenarios that share their objects run together. */
const groups: BenchScenario[][] = []
const scenarios = [
  ...requestScenarios(1, seconds),
  ...listScenarios(1, isFull),
  ...watchScenarios(1),
  ...bulkScenarios(seconds, isFull),
].filter(({ name }) => chosen(name))
for (const scenario of scenarios)
  if (isPreparedAlike(scenario, groups.at(-1)?.[0])) groups.at(-1)?.push(scenario)
  else groups.push([scenario])

const failures: string[] = []
for (let round = 0; round < rounds; round++) {
  const order = names.map((_, index) => names[(index + round) % names.length]!)
  if (chosen('start')) for (const name of order) await measureStart(name)
  if (chosen('envtest')) {
    await measureEnvtest('LMDB', ownBuild)
    if (before !== undefined) await measureEnvtest('before, LMDB', before)
  }
  if (groups.length === 0) continue
  const client = new LoadClient()
  const servers = new Map<string, MeasuredServer>()
  try {
    for (const name of order) servers.set(name, await starts[name]!())
    const benches = [...servers].map(([name, server]) => [name, new BenchServer(targetOf(server), client)] as const)
    // What servers do after they have started must not be measured with the first requests.
    await sleep(settleMs)
    for (const group of groups)
      for (const [name, bench] of benches) {
        process.stderr.write(`round ${round + 1}: ${group.map(scenario => scenario.name).join(', ')} on ${name}\n`)
        failures.push(...(await runScenarios(group, bench, record(name))).map(failure => `${name}: ${failure}`))
      }
  } finally {
    client.close()
    for (const server of servers.values()) await server.stop()
  }
}
for (const line of peerTable(measured, names)) console.log(line)
if (values.json) {
  const results = Object.fromEntries([...measured].map(([name, targets]) => [name, Object.fromEntries(targets)]))
  writeFileSync(values.json, JSON.stringify({ node: process.version, peer: values.peer, failures, results }, null, 1))
}
for (const failure of failures) console.error(`FAIL ${failure}`)
process.exitCode = failures.length === 0 ? 0 : 1

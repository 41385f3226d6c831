import { writeFileSync } from 'node:fs'
import { arch, cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { flagsOf } from '../golden/server-flags.js'
import { startOrch } from '../support/start-orch.js'
import { BenchServer } from './bench-server.js'
import { bulkScenarios } from './bulk-scenarios.js'
import { listScenarios } from './list-scenarios.js'
import { LoadClient } from './load-client.js'
import { monotonicMs, privateMiB } from './process-figures.js'
import { requestScenarios } from './request-scenarios.js'
import { isChosen, runScenarios } from './run-scenarios.js'
import type { Metrics } from './scenario.js'
import { tableHead, tableRows } from './table.js'
import { watchScenarios } from './watch-scenarios.js'

/**
 * `npm run bench -- [--only 'create*,get*'] [--skip 'biglist*'] [--scale small|full] [--reps 3] [--json out.json]
 *   [--target URL --token T --pid N[,N]]`
 *
 * Starts a server, puts load on it, and prints its figures with those of the peer and the targets. With `--target`
 * it measures a running server. A wrong response fails the run.
 */
const text = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    only: text,
    skip: text,
    scale: { ...text, default: 'small' },
    reps: { ...text, default: '3' },
    json: text,
    target: text,
    token: { ...text, default: 'admintoken' },
    pid: text,
  },
})
const settleMs = 5000

const chosen = (name: string) => isChosen(name, values)
const isFull = values.scale === 'full'
const repetitions = Number(values.reps)
const seconds = isFull ? 5 : 3
const scenarios = [
  ...requestScenarios(repetitions, seconds),
  ...listScenarios(repetitions, isFull),
  ...watchScenarios(repetitions),
  ...bulkScenarios(seconds, isFull),
].filter(({ name }) => chosen(name))

const results: Record<string, readonly Metrics[]> = {}
const report = (name: string, runs: readonly Metrics[]) => {
  results[name] = runs
  for (const line of tableRows(name, runs)) console.log(line)
}
console.log(tableHead)
// Like the reference server: RBAC, tokens from a file, and no loop that creates ConfigMaps in our namespaces.
const flags = await flagsOf('base')
const started = monotonicMs()
const own = values.target === undefined ? await startOrch({ flags }) : undefined
if (own && chosen('coldstart')) {
  const readyMs = monotonicMs() - started
  await sleep(settleMs)
  report('coldstart', [{ 'ready ms': readyMs, 'idle private MiB': privateMiB([own.pid]) }])
}
const pids = own ? [own.pid] : (values.pid?.split(',').map(Number) ?? [])
const client = new LoadClient()
const server = new BenchServer({ url: own?.url ?? values.target ?? '', token: values.token, pids }, client)
const failures = await runScenarios(scenarios, server, report)
client.close()
await own?.stop()
if (values.json)
  writeFileSync(
    values.json,
    JSON.stringify(
      { node: process.version, arch: arch(), cpus: cpus().length, scale: values.scale, failures, results },
      null,
      1,
    ),
  )
for (const failure of failures) console.error(`FAIL ${failure}`)
process.exitCode = failures.length === 0 ? 0 : 1

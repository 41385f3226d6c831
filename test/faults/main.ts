/**
 * Injects faults into servers under load and verifies from the observations of clients that nothing was lost.
 *
 *   npm run test:faults -- --minutes 30 --engine lmdb|etcd|both [--seed N] [--kills N] [--only "kill a server"]
 *     [--clients N] [--workers N] [--epoch-seconds N] [--custom-types]
 *
 * Prints figures at the end. Exits with 1 if a rule was violated, and prints the evidence.
 */
import { parseArgs } from 'node:util'
import { type EngineName, engineNames } from './cluster/start-cluster.js'
import { type RunResult, runFaults } from './run-faults.js'

const shownViolations = 5

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    engine: { type: 'string', default: 'both' },
    seed: { type: 'string' },
    kills: { type: 'string', default: '0' },
    only: { type: 'string' },
    workers: { type: 'string', default: '0' },
    clients: { type: 'string', default: '8' },
    'epoch-seconds': { type: 'string', default: '45' },
    'custom-types': { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const chosen = engineNames.filter(name => values.engine === 'both' || values.engine === name)
if (chosen.length === 0) throw new Error(`--engine is lmdb, etcd or both, not ${values.engine}`)

const run = (engine: EngineName): Promise<RunResult> =>
  runFaults({
    engine,
    seed,
    seconds: Number(values.minutes) * 60,
    kills: Number(values.kills),
    workers: Number(values.workers),
    clients: Number(values.clients),
    epochSeconds: Number(values['epoch-seconds']),
    customTypes: values['custom-types'],
    isWanted: kind => values.only === undefined || kind === values.only,
    progress: line => console.log(line),
  })

for (const engine of chosen) {
  const { figures, violations } = await run(engine)
  console.log(`\n${figures.lines(violations.length).join('\n')}`)
  for (const { rule, account } of violations.slice(0, shownViolations)) {
    console.log(`\nVIOLATED: ${rule}\n${account.map(line => `  ${line}`).join('\n')}`)
  }
  if (violations.length > 0) process.exitCode = 1
}
process.exit()

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startOrch } from '../support/start-orch.js'
import { exceptionsOf, loadRecordings } from './recordings.js'
import { replay } from './replay.js'
import { reportLines, totalsOf } from './report.js'
import { loadScenarios, type Scenario, selectScenarios } from './scenario.js'
import { credentialsFile, externalPort, flagsOf, goldenFolder, isolatedControls, type Profile } from './server-flags.js'

/**
 * Replays recorded scenarios, against a running server or one that it starts at the requested version:
 *
 *   npm run golden -- [--kubernetes-version 1.30] [--target https://127.0.0.1:6443] [--credentials creds.json] [--scenarios folder]
 *     [--area rest,watch] [--only text] [--profile base] [--without tag,tag] [--parallel 4] [--json out.json]
 *     [--exceptions file.json] [--webhook-host 127.0.0.1] [--webhook-port n]
 *     [--isolated-controls]   (the admission controls in a separate process, see isolated-controls/)
 */
const text = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    'kubernetes-version': text,
    target: text,
    credentials: text,
    scenarios: text,
    area: text,
    only: text,
    profile: text,
    without: text,
    parallel: text,
    json: text,
    exceptions: text,
    'webhook-host': text,
    'webhook-port': text,
    'isolated-controls': { type: 'boolean' },
  },
})
const version = values['kubernetes-version'] ?? '1.23'
const profile = (values.profile ?? 'base') as Profile
// A new server still has version 1.
const withoutForFresh = values.target === undefined ? ['compacted-history'] : []

function recorded(): Scenario[] {
  if (values.scenarios !== undefined) return loadScenarios(values.scenarios)
  if (version === '1.23') return loadScenarios(join(goldenFolder, 'scenarios'))
  return loadRecordings()
    .filter(recording => recording.version === version)
    .map(({ scenario }) => scenario)
}

const scenarios = selectScenarios(recorded(), {
  areas: values.area?.split(','),
  only: values.only,
  profile,
  without: [...withoutForFresh, ...(values.without?.split(',') ?? [])],
})
if (scenarios.length === 0) {
  console.error(`there is no scenario of version ${version} and profile ${profile} with these names`)
  process.exit(2)
}
const config = values['isolated-controls'] ? ['--config', isolatedControls] : []
const flags = values.target === undefined ? [...(await flagsOf(profile, version)), ...config] : []
const server = values.target === undefined ? await startOrch({ flags }) : undefined
const results = await replay(scenarios, {
  target: values.target ?? server!.url,
  credentials: values.credentials ?? credentialsFile,
  exceptions: values.exceptions ? JSON.parse(readFileSync(values.exceptions, 'utf8')) : exceptionsOf(version),
  parallel: Number(values.parallel ?? 4),
  webhookHost: values['webhook-host'],
  webhookPort: profile === 'external' ? externalPort : Number(values['webhook-port'] ?? 0),
}).finally(() => server?.stop())
const totals = totalsOf(results)
if (values.json) writeFileSync(values.json, JSON.stringify({ ...totals, results }, null, 1))
for (const line of reportLines(results)) console.log(line)
process.exitCode = totals.failed === 0 ? 0 : 1

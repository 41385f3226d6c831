import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { replay } from './replay.js'
import { reportLines, totalsOf } from './report.js'
import { loadScenarios, selectScenarios } from './scenario.js'

/**
 * Replays recorded scenarios against a running server:
 *
 *   node dist/test/golden/main.js --target https://127.0.0.1:6443 [--credentials creds.json] [--scenarios folder]
 *     [--area rest,watch] [--only text] [--profile base] [--without tag,tag] [--parallel 4] [--json out.json]
 *     [--exceptions file.json] [--webhook-host 127.0.0.1] [--webhook-port n]
 */
const folder = fileURLToPath(new URL('../../../test/golden', import.meta.url))
/** The server of profile `external` is told this address in its flags. */
const externalPort = 28443
const text = { type: 'string' } as const
const { values } = parseArgs({
  options: {
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
  },
})
if (values.target === undefined) {
  console.error('usage: node dist/test/golden/main.js --target URL [options]; see the head of test/golden/main.ts')
  process.exit(2)
}
const scenarios = selectScenarios(loadScenarios(values.scenarios ?? join(folder, 'scenarios')), {
  areas: values.area?.split(','),
  only: values.only,
  profile: values.profile,
  without: values.without?.split(','),
})
const results = await replay(scenarios, {
  target: values.target,
  credentials: values.credentials ?? join(folder, 'fixtures/creds.json'),
  exceptions: values.exceptions ? JSON.parse(readFileSync(values.exceptions, 'utf8')) : {},
  parallel: Number(values.parallel ?? 4),
  webhookHost: values['webhook-host'],
  webhookPort: values.profile === 'external' ? externalPort : Number(values['webhook-port'] ?? 0),
})
const totals = totalsOf(results)
if (values.json) writeFileSync(values.json, JSON.stringify({ ...totals, results }, null, 1))
for (const line of reportLines(results)) console.log(line)
process.exitCode = totals.failed === 0 ? 0 : 1

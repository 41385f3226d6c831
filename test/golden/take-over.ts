import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { startOrch } from '../support/start-orch.js'
import { replay } from './replay.js'
import { reportLines } from './report.js'
import { loadScenarios, type Scenario, selectScenarios } from './scenario.js'
import { credentialsFile, externalPort, flagsOf, goldenFolder, type Profile, profiles } from './server-flags.js'

/**
 * Copies new recordings that match into `scenarios/`; see the README:
 *
 *   node dist/test/golden/take-over.js FOLDER AREA[/PART-OF-A-NAME] … [--profile loops] [--try]
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { profile: { type: 'string', default: 'base' }, try: { type: 'boolean', default: false } },
})
const [folder, ...wanted] = positionals
if (folder === undefined || wanted.length === 0) {
  console.error('usage: npm run golden:take -- FOLDER AREA[/PART-OF-A-NAME] … [--profile loops] [--try]')
  process.exit(2)
}
const profile = values.profile as Profile
if (!profiles.includes(profile)) throw new Error(`there is no profile ${profile}, only ${profiles.join(', ')}`)
const isWanted = ({ area, name }: Scenario) =>
  wanted.some(word => area === word || (word.includes('/') && `${area}/${name}`.startsWith(word)))
const source = join(folder, 'scenarios')
// A fresh server still keeps version 1.
const scenarios = selectScenarios(loadScenarios(source), { profile, without: ['compacted-history'] }).filter(isWanted)
if (scenarios.length === 0) throw new Error(`no scenario of profile ${profile} for ${wanted.join(', ')} in ${source}`)

const server = await startOrch({ flags: await flagsOf(profile) })
const results = await replay(scenarios, {
  target: server.url,
  credentials: credentialsFile,
  exceptions: JSON.parse(readFileSync(join(goldenFolder, '../golden-exceptions.json'), 'utf8')),
  webhookPort: profile === 'external' ? externalPort : 0,
}).finally(() => server.stop())
for (const line of reportLines(results)) console.log(line)

const matching = results.filter(({ failed }) => failed === 0)
for (const { file } of values.try ? [] : matching) {
  const target = join(goldenFolder, 'scenarios', file)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, oneLinePerStep(JSON.parse(readFileSync(join(source, file), 'utf8'))))
}
if (!values.try) console.log(`${matching.length} of ${results.length} scenarios taken over`)
process.exitCode = matching.length === results.length ? 0 : 1

function oneLinePerStep({ steps, ...head }: Scenario): string {
  const lines = steps.map(step => JSON.stringify(step)).join(',\n')
  return `${JSON.stringify(head).slice(0, -1)},"steps":[\n${lines}\n]}\n`
}

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { startOrch } from '../support/start-orch.js'
import { changedSince, exceptionsOf, type RecordedVersion, recordedVersions, writeRecordings } from './recordings.js'
import { replay } from './replay.js'
import { reportLines } from './report.js'
import type { ScenarioResult } from './run-scenario.js'
import { loadScenarios, type Scenario, selectScenarios } from './scenario.js'
import { credentialsFile, externalPort, flagsOf, goldenFolder, type Profile, profiles } from './server-flags.js'

/**
 * Adds new recordings that match; see the README:
 *
 *   node dist/test/golden/take-over.js FOLDER AREA[/PART-OF-A-NAME] … [--profile loops] [--try]
 *   node dist/test/golden/take-over.js FOLDER --kubernetes-version 1.30 [--try]
 */
const usage = `usage: npm run golden:take -- FOLDER AREA[/PART-OF-A-NAME] … [--profile loops] [--try]
       npm run golden:take -- FOLDER --kubernetes-version 1.30 [--try]`
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    profile: { type: 'string', default: 'base' },
    'kubernetes-version': { type: 'string' },
    try: { type: 'boolean', default: false },
  },
})
const [folder, ...wanted] = positionals
const version = values['kubernetes-version']
if (folder === undefined || (version === undefined) !== wanted.length > 0) {
  console.error(usage)
  process.exit(2)
}
const results = version === undefined ? await takeAreas(folder, wanted) : await takeVersion(folder, version)
for (const line of reportLines(results)) console.log(line)
const matching = results.filter(isMatching)
if (!values.try) console.log(`${matching.length} of ${results.length} scenarios taken over`)
process.exitCode = matching.length === results.length ? 0 : 1

function isMatching({ failed }: ScenarioResult): boolean {
  return failed === 0
}

/** Recordings of 1.23: each becomes a file below `scenarios/`. */
async function takeAreas(from: string, areas: readonly string[]): Promise<ScenarioResult[]> {
  const profile = values.profile as Profile
  if (!profiles.includes(profile)) throw new Error(`there is no profile ${profile}, only ${profiles.join(', ')}`)
  const isWanted = ({ area, name }: Scenario) =>
    areas.some(word => area === word || (word.includes('/') && `${area}/${name}`.startsWith(word)))
  const source = join(from, 'scenarios')
  const scenarios = loadScenarios(source).filter(isWanted)
  const played = await play('1.23', profile, scenarios)
  if (played.length === 0) throw new Error(`no scenario of profile ${profile} for ${areas.join(', ')} in ${source}`)
  for (const { file } of values.try ? [] : played.filter(isMatching)) {
    const target = join(goldenFolder, 'scenarios', file)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, oneLinePerStep(JSON.parse(readFileSync(join(source, file), 'utf8'))))
  }
  return played
}

/** The recordings of a later version that differ from those before, of all profiles: those that match replace the existing ones. */
async function takeVersion(from: string, name: string): Promise<ScenarioResult[]> {
  const of = recordedVersions.find(each => each === name)
  if (of === undefined) throw new Error(`there are no recordings of ${name}, only of ${recordedVersions.join(', ')}`)
  const before = recordedVersions[recordedVersions.indexOf(of) - 1]
  const scenarios = changedSince(
    loadScenarios(join(from, before === undefined ? 'scenarios' : `scenarios-${before}`)),
    loadScenarios(join(from, `scenarios-${of}`)),
  )
  const played: ScenarioResult[] = []
  for (const profile of profiles) for (const result of await play(of, profile, scenarios)) played.push(result)
  const taken = new Set(played.filter(isMatching).map(({ file }) => file))
  if (!values.try)
    writeRecordings(
      of,
      scenarios.filter(({ file }) => taken.has(file)),
    )
  return played
}

async function play(at: '1.23' | RecordedVersion, profile: Profile, from: readonly Scenario[]) {
  // A new server still has version 1.
  const scenarios = selectScenarios(from, { profile, without: ['compacted-history'] })
  if (scenarios.length === 0) return []
  const server = await startOrch({ flags: await flagsOf(profile, at) })
  return await replay(scenarios, {
    target: server.url,
    credentials: credentialsFile,
    exceptions: exceptionsOf(at),
    parallel: profile === 'loops' ? 12 : 4,
    webhookPort: profile === 'external' ? externalPort : 0,
  }).finally(() => server.stop())
}

function oneLinePerStep({ steps, ...head }: Scenario): string {
  const lines = steps.map(step => JSON.stringify(step)).join(',\n')
  return `${JSON.stringify(head).slice(0, -1)},"steps":[\n${lines}\n]}\n`
}

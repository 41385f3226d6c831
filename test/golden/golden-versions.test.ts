import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startOrch } from '../support/start-orch.js'
import { changedSince, exceptionsOf, loadRecordings, type RecordedVersion, recordedVersions } from './recordings.js'
import { replay } from './replay.js'
import { reportLines } from './report.js'
import type { ScenarioResult } from './run-scenario.js'
import { type Scenario, selectScenarios } from './scenario.js'
import { credentialsFile, externalPort, flagsOf, type Profile, profiles } from './server-flags.js'

/** Loops mostly wait, so more of their scenarios run at a time. */
const atOnce = (profile: Profile) => (profile === 'loops' ? 12 : 4)

/** Starts a server of the version as the recorded one was started, replays the scenarios and stops the server. */
async function replayProfile(
  version: RecordedVersion,
  profile: Profile,
  scenarios: readonly Scenario[],
): Promise<ScenarioResult[]> {
  const server = await startOrch({ flags: await flagsOf(profile, version) })
  try {
    return await replay(scenarios, {
      target: server.url,
      credentials: credentialsFile,
      exceptions: exceptionsOf(version),
      parallel: atOnce(profile),
      webhookPort: profile === 'external' ? externalPort : 0,
    })
  } finally {
    await server.stop()
  }
}

const recordings = loadRecordings()
for (const version of recordedVersions) {
  const ofVersion = recordings.filter(each => each.version === version).map(({ scenario }) => scenario)
  for (const profile of profiles) {
    // A fresh server still keeps version 1.
    const scenarios = selectScenarios(ofVersion, { profile, without: ['compacted-history'] })
    const areas = new Set(scenarios.map(({ area }) => area))
    if (areas.size === 0) continue
    const golden = suite(`recordings of ${version}, profile ${profile}`)
    let replayed: Promise<ScenarioResult[]> | undefined
    for (const area of areas)
      golden(`${area} matches`, async () => {
        replayed ??= replayProfile(version, profile, scenarios)
        const results = (await replayed).filter(result => result.area === area)
        assert.ok(results.length > 0, `no scenario in area ${area}`)
        const failed = results.filter(result => result.failed > 0)
        assert.is(failed.length, 0, `\n${reportLines(failed).join('\n')}`)
      })
    golden.run()
  }
}

const selection = suite('recordings of later versions')
selection('every version is there', () => {
  for (const version of recordedVersions)
    assert.ok(recordings.filter(each => each.version === version).length > 50, version)
})
selection('what the version before answered alike is left out', () => {
  const scenario = (name: string, status: number) =>
    ({ name, area: 'a', file: `a/${name}.json`, steps: [{ expect: { status } }] }) as Scenario
  const before = [scenario('same', 200), scenario('changed', 200), scenario('gone', 200)]
  const now = [scenario('same', 200), scenario('changed', 422), scenario('new', 200)]
  assert.equal(
    changedSince(before, now).map(({ name }) => name),
    ['changed', 'new'],
  )
})
selection.run()

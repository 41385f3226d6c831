import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startOrch } from '../support/start-orch.js'
import { exceptionsOf, loadRecordings, recordedVersions } from './recordings.js'
import { replay } from './replay.js'
import { reportLines, totalsOf } from './report.js'
import { selectScenarios } from './scenario.js'
import { credentialsFile, externalPort, flagsOf, type Profile, profiles } from './server-flags.js'

/** Replays the responses of versions after 1.23 that differ from the previous recorded version, on a server at that version. */
const recordings = loadRecordings()
/** In the recording the read came before the loop that adds a finalizer; here it may come after. */
const racing = ['protobuf-new/network']
/** Scenarios of loops mostly wait. */
const loopsAtOnce = 12
const atOnce = 4

for (const version of recordedVersions) {
  const all = recordings
    .filter(recording => recording.version === version)
    .map(({ scenario }) => scenario)
    .filter(({ area, name }) => !racing.includes(`${area}/${name}`))
  const golden = suite(`recorded scenarios of ${version}`)
  for (const profile of profiles) {
    const scenarios = selectScenarios(all, { profile, without: ['compacted-history'] })
    if (scenarios.length === 0) continue
    golden(`profile ${profile}: ${scenarios.length} scenarios match`, () => replayAt(version, profile, scenarios))
  }
  golden.run()
}

async function replayAt(version: string, profile: Profile, scenarios: Parameters<typeof replay>[0]): Promise<void> {
  const server = await startOrch({ flags: await flagsOf(profile, version) })
  const results = await replay(scenarios, {
    target: server.url,
    credentials: credentialsFile,
    exceptions: exceptionsOf(version),
    parallel: profile === 'loops' ? loopsAtOnce : atOnce,
    webhookPort: profile === 'external' ? externalPort : 0,
  }).finally(() => server.stop())
  const failed = results.filter(result => result.failed > 0)
  assert.is(totalsOf(results).failed, 0, `\n${reportLines(failed).join('\n')}`)
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startOrch } from '../support/start-orch.js'
import { areasThatMustPass, untestedTags } from './areas.js'
import { replay } from './replay.js'
import { reportLines } from './report.js'
import type { ScenarioResult } from './run-scenario.js'
import { loadScenarios, selectScenarios } from './scenario.js'
import { credentialsFile, externalPort, flagsOf, goldenFolder, type Profile, profiles } from './server-flags.js'

/** Starts a server as the recorded one was started, replays the profile's scenarios and stops the server. */
async function replayProfile(profile: Profile): Promise<ScenarioResult[]> {
  const server = await startOrch({ flags: await flagsOf(profile) })
  try {
    const scenarios = selectScenarios(loadScenarios(join(goldenFolder, 'scenarios')), {
      profile,
      areas: areasThatMustPass[profile],
      without: untestedTags,
    })
    return await replay(scenarios, {
      target: server.url,
      credentials: credentialsFile,
      exceptions: JSON.parse(readFileSync(join(goldenFolder, '../golden-exceptions.json'), 'utf8')),
      webhookPort: profile === 'external' ? externalPort : 0,
    })
  } finally {
    await server.stop()
  }
}

for (const profile of profiles.filter(name => areasThatMustPass[name].length > 0)) {
  const golden = suite(`recorded scenarios, profile ${profile}`)
  let replayed: Promise<ScenarioResult[]> | undefined
  for (const area of areasThatMustPass[profile])
    golden(`${area} matches the recordings`, async () => {
      replayed ??= replayProfile(profile)
      const results = (await replayed).filter(result => result.area === area)
      assert.ok(results.length > 0, `no scenario in area ${area}`)
      const failed = results.filter(result => result.failed > 0)
      assert.is(failed.length, 0, `\n${reportLines(failed).join('\n')}`)
    })
  golden.run()
}

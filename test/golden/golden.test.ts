import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type RunningServer, startOrch } from '../support/start-orch.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { replay } from './replay.js'
import { reportLines, totalsOf } from './report.js'
import type { ScenarioResult } from './run-scenario.js'
import { loadScenarios, type Scenario, selectScenarios } from './scenario.js'
import {
  credentialsFile,
  externalPort,
  flagsOf,
  goldenFolder,
  type Profile,
  profiles,
  program,
} from './server-flags.js'

/** A new server still has version 1; scenarios with this tag need one that has compacted it. */
const needsCompaction = 'compacted-history'
const allScenarios = loadScenarios(join(goldenFolder, 'scenarios'))
const selected = (profile: Profile) => selectScenarios(allScenarios, { profile, without: [needsCompaction] })
const play = (scenarios: readonly Scenario[], server: RunningServer, profile: Profile) =>
  replay(scenarios, {
    target: server.url,
    credentials: credentialsFile,
    exceptions: JSON.parse(readFileSync(join(goldenFolder, '../golden-exceptions.json'), 'utf8')),
    webhookPort: profile === 'external' ? externalPort : 0,
  })

/** Starts a server as the recorded one was started, replays the profile's scenarios and stops the server. */
async function replayProfile(profile: Profile): Promise<ScenarioResult[]> {
  const server = await startOrch({ flags: await flagsOf(profile) })
  try {
    return await play(selected(profile), server, profile)
  } finally {
    await server.stop()
  }
}

for (const profile of profiles) {
  const areas = new Set(selected(profile).map(({ area }) => area))
  if (areas.size === 0) continue
  const golden = suite(`recorded scenarios, profile ${profile}`)
  let replayed: Promise<ScenarioResult[]> | undefined
  for (const area of areas)
    golden(`${area} matches the recordings`, async () => {
      replayed ??= replayProfile(profile)
      const results = (await replayed).filter(result => result.area === area)
      assert.ok(results.length > 0, `no scenario in area ${area}`)
      const failed = results.filter(result => result.failed > 0)
      assert.is(failed.length, 0, `\n${reportLines(failed).join('\n')}`)
    })
  golden.run()
}

const compacted = suite('recorded scenarios after compaction')
compacted('match on a server that has compacted its first versions', async () => {
  const folder = temporaryFolder()
  const options = { flags: await flagsOf('base'), dataDir: folder.path }
  try {
    await (await startOrch(options)).stop()
    await promisify(execFile)(process.execPath, [program, 'storage', 'compact', '--data-dir', folder.path])
    const server = await startOrch(options)
    const scenarios = allScenarios.filter(({ requires }) => requires?.includes(needsCompaction))
    const results = await play(scenarios, server, 'base').finally(() => server.stop())
    assert.ok(results.length > 0)
    assert.is(totalsOf(results).failed, 0, `\n${reportLines(results).join('\n')}`)
  } finally {
    folder.remove()
  }
})
compacted.run()

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { replay } from '../golden/replay.js'
import { reportLines, totalsOf } from '../golden/report.js'
import type { Scenario } from '../golden/scenario.js'
import { credentialsFile, flagsOf, goldenFolder } from '../golden/server-flags.js'
import { startOrch } from '../support/start-orch.js'

/** Shrunk conversations in which our server once differed, by the version of the reference. */
const folder = join(goldenFolder, '../differential/kept')

const kept = suite('fixed differences')
for (const version of readdirSync(folder).sort())
  kept(`stay fixed at ${version}`, async () => {
    const scenarios = readdirSync(join(folder, version))
      .sort()
      .map((file): Scenario => ({ ...JSON.parse(readFileSync(join(folder, version, file), 'utf8')), file }))
    assert.ok(scenarios.length > 0)
    const server = await startOrch({ flags: await flagsOf('base', version) })
    const results = await replay(scenarios, { target: server.url, credentials: credentialsFile }).finally(server.stop)
    assert.is(totalsOf(results).failed, 0, `\n${reportLines(results).join('\n')}`)
  })
kept.run()

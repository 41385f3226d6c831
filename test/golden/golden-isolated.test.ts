import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startOrch } from '../support/start-orch.js'
import { replay } from './replay.js'
import { reportLines, totalsOf } from './report.js'
import { loadScenarios, selectScenarios } from './scenario.js'
import { credentialsFile, flagsOf, goldenFolder, isolatedControls } from './server-flags.js'

/**
 * Every first-party admission control behaves the same in a separate process. The complete profile base is run manually:
 *
 *   npm run golden -- --isolated-controls [--kubernetes-version 1.36]
 */
const areas = ['admission']
const golden = suite('recorded scenarios with admission controls in a separate process')

golden('match', async () => {
  const flags = [...(await flagsOf('base')), '--config', isolatedControls, '--v=4']
  const server = await startOrch({ flags, limitMs: 240_000 })
  try {
    // The server itself registers no control, so these run in the other process.
    const chain =
      server
        .output()
        .split('\n')
        .find(line => line.includes('admission chain')) ?? ''
    for (const control of ['NamespaceLifecycle', 'MutatingAdmissionWebhook', 'ResourceQuota', 'ServiceAddresses'])
      assert.ok(chain.includes(control), `${control} is not in: ${chain}`)
    const scenarios = selectScenarios(loadScenarios(join(goldenFolder, 'scenarios')), { areas, profile: 'base' })
    const results = await replay(scenarios, {
      target: server.url,
      credentials: credentialsFile,
      exceptions: JSON.parse(readFileSync(join(goldenFolder, '../golden-exceptions.json'), 'utf8')),
    })
    assert.ok(results.length >= 16)
    assert.is(totalsOf(results).failed, 0, `\n${reportLines(results).join('\n')}`)
  } finally {
    await server.stop()
  }
})
golden.run()

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { orchProfile, Vendor } from 'orch/sdk'
import { fakeClock, fakeLogger, startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ConformanceChecks } from './conformance-checks.js'
import { installedPlugins } from './plugin.js'
import { pluginCollection } from './plugins/resource.js'
import type { Plugin } from './plugins/schema.js'

const checks = suite('checks of installed plugins')

/** A program that prints this when it is run for conformance, along with its arguments. */
const printing = (text: string, code = 0): readonly string[] => [
  process.execPath,
  '-e',
  `process.stdout.write(${JSON.stringify(text)}.replace('WORDS', process.argv.slice(1).join(' '))); process.exitCode = ${code}`,
  '--',
]
const failure = { subject: 'resource lamps', title: 'is stored', outcome: 'failed', message: 'WORDS' }

checks('run in another process when requested, in only one of the servers', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'orch-checks-'))
  const server = await startServer({
    plugins: ['namespaces', 'configuration', 'authentication', 'authorization'].map(name => `orch/plugins/${name}`),
    morePlugins: [installedPlugins],
    options: { pluginFolder: folder, loadInstalledPlugins: false },
  })
  try {
    const plugins = server.client.resource<Plugin>(pluginCollection(new Vendor(orchProfile)))
    const checking = (program: readonly string[] | undefined) =>
      new ConformanceChecks({ plugins, program, clock: fakeClock(), logger: fakeLogger() })
    await plugins.create({ metadata: { name: 'lamps' }, spec: { package: 'lamps' } })
    const verdict = async (check: string, program: readonly string[]) => {
      const object = await plugins.patch('lamps', { spec: { check } })
      const [one, other, worker] = [checking(program), checking(program), checking(undefined)]
      await worker.begin(object, '/lamps.js')
      await one.begin(object, '/lamps.js')
      // A later server has a stale object, and does nothing.
      await other.begin(object, '/lamps.js')
      const isDone = ({ status }: Plugin) => status?.checked === check && status.conditions?.[0]?.reason !== 'Checking'
      const { status } = await plugins.waitFor('lamps', isDone)
      const [condition] = status?.conditions ?? []
      return `${condition?.type} ${condition?.status} ${condition?.reason}: ${condition?.message}`
    }
    const report = (passed: number, ...results: object[]) => JSON.stringify({ passed, failed: results.length, results })
    assert.is(
      await verdict('one', printing(report(3))),
      'Conforming True Passed: 3 checks of the conformance kit passed.',
    )
    assert.is(
      await verdict('two', printing(report(1, failure), 1)),
      'Conforming False Failed: 1 checks failed, 1 passed. resource lamps: is stored: conformance /lamps.js --json',
    )
    assert.match(await verdict('three', printing('', 7)), /^Conforming Unknown NotChecked: .*exited with code 7/)
    assert.match(await verdict('four', ['/no/such/program']), /^Conforming Unknown NotChecked: .*ENOENT/)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true })
  }
})

checks.run()

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { orchProfile } from 'orch/sdk'
import { describeConformance, pluginConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compiledRoot } from '../boot/load-module.js'

const folder = join(compiledRoot, 'plugins')
const plugins = readdirSync(folder).filter(name => existsSync(join(folder, name, 'plugin.js')))
/** Nobody has heard of this vendor, so that a name spelled out anywhere is missing here. */
const vendor = { ...orchProfile, name: 'acme', domain: 'acme.test', groupDomain: 'acme.test' }
/** Fewer than by default: `orch conformance orch/plugins/NAME` tries more. */
const samples = 10

const firstParty = suite('conformance of first-party plugins')

for (const name of plugins)
  firstParty(`${name} conforms`, async () => {
    const report = await pluginConformance({ plugin: `orch/plugins/${name}`, vendor, samples })
    assert.is(report.failed, 0, await describeConformance(report))
    // What cannot be tried is not proven: samples are to reach every control.
    assert.is(report.skipped, 0, await describeConformance(report))
  })

firstParty.run()

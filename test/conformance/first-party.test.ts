import { describeConformance, pluginConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { firstPartyPlugins, unheardVendor as vendor } from './first-party-plugins.js'

/** Fewer than by default: `npm run conformance` tries more. */
const samples = 5

const firstParty = suite('conformance of first-party plugins')

for (const name of firstPartyPlugins)
  firstParty(`${name} conforms`, async () => {
    const report = await pluginConformance({ plugin: `orch/plugins/${name}`, vendor, samples })
    assert.is(report.failed, 0, describeConformance(report))
    // Samples must reach every control: a skipped check proves nothing.
    assert.is(report.skipped, 0, describeConformance(report))
  })

firstParty.run()

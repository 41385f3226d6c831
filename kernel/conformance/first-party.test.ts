import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describeConformance, pluginConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compiledRoot } from '../boot/load-module.js'

const folder = join(compiledRoot, 'plugins')
const plugins = readdirSync(folder).filter(name => existsSync(join(folder, name, 'plugin.js')))

/** What needs no valid object of each type; the batteries with samples are beside the types. */
const firstParty = suite('random objects and first-party plugins')

for (const name of plugins)
  for (const only of ['no object makes the server fail', 'never throw'])
    firstParty(`${name}: ${only}`, async () => {
      const report = await pluginConformance({ plugin: `orch/plugins/${name}`, only })
      assert.is(report.failed, 0, await describeConformance(report))
    })

firstParty.run()

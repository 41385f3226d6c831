import { mkdirSync, writeFileSync } from 'node:fs'
import { orchProfile, Vendor } from 'orch/sdk'
import { clientFromConfig } from 'orch/sdk/client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { startOrch } from '../support/start-orch.js'
import { inFolder } from './boot-request.js'
import { runBinary } from './run-binary.js'

const both = suite('orch plugins')
const source = `import { definePlugin } from 'orch/sdk'
export default definePlugin({ name: 'greeter', register(to) { to.route({ path: '/greeting', handle() {} }) } })`

both('shows the plugins of the config and those that were installed through the API', () =>
  inFolder({}, async dir => {
    mkdirSync(`${dir}/plugins`)
    writeFileSync(`${dir}/plugins/greeter.mjs`, source)
    const flags = ['--plugin-folder', `${dir}/plugins`]
    const show = () => runBinary(dir, 'plugins', ...flags, '--data-dir', `${dir}/data`)
    const before = await show()
    assert.is(before.code, 0)
    assert.match(before.err, 'plugins installed through the API are not shown: there is no store')
    const server = await startOrch({ dataDir: `${dir}/data`, flags })
    const client = await clientFromConfig({
      vendor: new Vendor(orchProfile),
      environment: {},
      path: server.adminConfig,
    })
    try {
      const plugins = client.resource({ group: 'plugins.orch.io', version: 'v1alpha1', resource: 'plugins' })
      await plugins.create({ metadata: { name: 'hello' }, spec: { package: 'greeter.mjs' } })
      const out = await eventually('the plugin to be loaded', async () => {
        const { out: text } = await show()
        return text.includes('Loaded True') ? text : undefined
      })
      assert.match(out, /\ninstalled-plugins\n[\s\S]*admission chain/, 'plugins of the config come first')
      assert.match(out, /installed through the API\n {2}hello\n {4}package +greeter\.mjs\n/)
      assert.match(out, /isolation +in-process\n {4}contributes +[^\n]*\/greeting/)
    } finally {
      await client.close()
      await server.stop()
    }
  }),
)

both.run()

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startOrch } from '../support/start-orch.js'
import { inFolder } from './boot-request.js'
import { runBinary } from './run-binary.js'

/** The default configuration with the example as a third party would use it: a file that the config names. */
const root = fileURLToPath(new URL('../../..', import.meta.url))
const config = `import { defineConfig } from 'orch/sdk'
import usual from ${JSON.stringify(join(root, 'orch.config.ts'))}
export default defineConfig({ plugins: [${JSON.stringify(join(root, 'examples/widgets/plugin.ts'))}, ...usual.plugins] })`
const withExample = (use: (folder: string) => Promise<void>) => inFolder({ 'orch.config.ts': config }, use)
const chainIn = (text: string) =>
  [...text.slice(text.indexOf('admission chain')).matchAll(/\d+\. (\w+)/g)].map(m => m[1])

const control = suite('a control of a third party')

control('is disabled like any other', () =>
  withExample(async folder => {
    const { out } = await runBinary(folder, 'plugins', '--disable-admission-plugins=WidgetQuota')
    assert.not(chainIn(out).includes('WidgetQuota'))
  }),
)

control('is placed in the chain by the config, as the log of the start shows', () =>
  withExample(async folder => {
    const server = await startOrch({ workingDir: folder, limitMs: 60_000, flags: ['--v=4'] })
    try {
      const line = server
        .output()
        .split('\n')
        .find(one => one.includes('"message":"admission chain"'))
      const { mutating, validating } = JSON.parse(line ?? '{}')
      const around = ['NamespaceLifecycle', 'LimitRanger', 'WidgetQuota', 'ValidatingAdmissionWebhook', 'ResourceQuota']
      assert.equal(
        validating.filter((name: string) => around.includes(name)),
        around.slice(1),
      )
      assert.equal(
        mutating.filter((name: string) => around.includes(name)),
        around.slice(0, 2),
      )
    } finally {
      await server.stop()
    }
  }),
)

control.run()

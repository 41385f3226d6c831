import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startControllers } from '../support/start-controllers.js'
import { inFolder } from './boot-request.js'
import { runBinary } from './run-binary.js'

const command = suite('errors of orch controllers')

const clientConfig = (server: string) =>
  JSON.stringify({
    clusters: [{ name: 'c', cluster: { server } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: '' } }],
    'current-context': 'x',
  })
const loopsConfig = `import { defineConfig, definePlugin, services } from 'orch/sdk'
const start = () => async () => {}
const loops = definePlugin({
  name: 'loops',
  register: to => to.controller(
    { name: 'bound', needs: { reader: services.reader }, start },
    { name: 'free', needs: { client: services.client }, start },
  ),
})
export default defineConfig({ plugins: [loops] })`

command('rejects a loop that only a server can run, with the reason', () =>
  inFolder({ 'orch.config.mjs': loopsConfig, config: clientConfig('http://127.0.0.1:1') }, async dir => {
    const { code, err } = await runBinary(dir, 'controllers', '--client-config=config', '--controllers=bound')
    assert.is(code, 2)
    assert.match(err, /"bound" runs in a server only, because it needs the service "reader"/)
  }),
)

command('skips such a loop unless it was requested, waits for the server, and ends on a signal', () =>
  inFolder({ 'orch.config.mjs': loopsConfig, config: clientConfig('http://127.0.0.1:1') }, async dir => {
    const loops = startControllers(`--config=${dir}/orch.config.mjs`, `--client-config=${dir}/config`)
    try {
      await loops.untilPrinted('discovery of the server failed')
      assert.match(loops.output(), /^Running 1 control loop for http:\/\/127\.0\.0\.1:1 \(context x\)\nLoops: free\n/)
      assert.match(loops.output(), /^Left out: bound needs "reader"/m)
    } finally {
      assert.is(await loops.stop(), 0)
    }
  }),
)

command('names the file that it cannot read, and unknown flags', () =>
  inFolder({ 'orch.config.mjs': loopsConfig }, async dir => {
    const missing = await runBinary(dir, 'controllers', '--client-config=nowhere')
    assert.is(missing.code, 1)
    assert.match(missing.err, /cannot read .*nowhere/)
    const unknown = await runBinary(dir, 'controllers', '--client-confg=nowhere')
    assert.is(unknown.code, 2)
    assert.match(unknown.err, /--client-config/)
  }),
)

command.run()

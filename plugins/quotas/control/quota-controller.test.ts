import { definePlugin } from 'orch/sdk'
import { startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Evaluators } from '../counting/evaluators.js'
import { quotaNames } from '../names.js'
import { quotaController } from './quota-controller.js'

/** The loop alone, as in a process beside a server that has no quotas. */
const loop = definePlugin({
  name: 'loop',
  register(to, { vendor }) {
    const names = quotaNames(vendor)
    to.controller(quotaController(new Evaluators(names), names))
  },
})
const counting = suite('the loop that counts for quotas')

counting('is not started if quotas are not served, and the server starts without it', async () => {
  const server = await startServer({ plugins: [loop] })
  try {
    assert.is(await server.client.request({ method: 'GET', path: '/readyz', headers: {} }), 'ok')
  } finally {
    await server.stop()
  }
})

counting('fails the start if it is enabled explicitly', async () => {
  const started = startServer({
    plugins: [loop],
    options: { controllers: ['resourcequota'] },
  })
  const failure = await started.then(
    server => server.stop(),
    (error: Error) => error.message,
  )
  assert.match(String(failure), /resourcequotas is not served: enable a plugin that provides it/)
})

counting.run()

import { startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { quotas } from '../plugin.js'

const counting = suite('the loop that counts for quotas')

counting('is left out where nobody serves quotas, and the server starts without it', async () => {
  const server = await startServer({ plugins: [quotas] })
  try {
    assert.is(await server.client.request({ method: 'GET', path: '/readyz', headers: {} }), 'ok')
  } finally {
    await server.stop()
  }
})

counting('fails the start where it is asked for by name', async () => {
  const started = startServer({ plugins: [quotas], options: { controllers: ['resourcequota'] } })
  const failure = await started.then(
    server => server.stop(),
    (error: Error) => error.message,
  )
  assert.match(String(failure), /resourcequotas: enable a plugin that does/)
})

counting.run()

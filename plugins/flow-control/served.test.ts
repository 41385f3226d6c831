import { startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { flowControl } from './plugin.js'

const served = suite('a server with flow control')
for (const [vendor, store] of [
  ['orch', 'storage'],
  ['kubernetes', 'etcd'],
] as const)
  served(`names the flow in every response, and has health checks, under the names of ${vendor}`, async () => {
    const { baseUrl, token, stop } = await startServer({ plugins: [flowControl], vendor })
    try {
      const ask = async (path: string) => {
        const response = await fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${token}` } })
        return { status: response.status, text: await response.text(), headers: response.headers }
      }
      const producer = 'poststarthook/priority-and-fairness-config-producer'
      for (const check of [store, producer, producer.replace('producer', 'consumer')]) {
        assert.equal([check, (await ask(`/readyz/${check}`)).status], [check, 200])
        assert.match((await ask('/healthz?verbose')).text, `[+]${check} ok`)
      }
      const { status, text, headers } = await ask('/version')
      assert.is(status, 200, text)
      for (const part of ['FlowSchema', 'PriorityLevel'])
        assert.match(headers.get(`X-${vendor}-PF-${part}-UID`) ?? '', /^[0-9a-f-]{36}$/)
    } finally {
      await stop()
    }
  })
served('stays healthy when a client deletes the built-in objects', async () => {
  const { baseUrl, token, stop } = await startServer({ plugins: [flowControl], options: { controllers: ['-*'] } })
  try {
    const ask = (method: string, path: string) =>
      fetch(`${baseUrl}${path}`, { method, headers: { authorization: `Bearer ${token}` } })
    const schemas = '/apis/flowcontrol.apiserver.orch.io/v1beta2/flowschemas'
    assert.is((await ask('DELETE', schemas)).status, 200)
    const answer = await ask('GET', '/healthz?verbose')
    assert.is(answer.status, 200, await answer.text())
  } finally {
    await stop()
  }
})
served.run()

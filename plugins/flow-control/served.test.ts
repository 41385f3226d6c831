import type { ApiObject } from 'orch/sdk'
import { startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { flowControl } from './plugin.js'
import type { PriorityLevel } from './priority-levels/schema.js'

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
served('keeps 0 shares for clients of v1beta3, and what administrators reserve for the exempt level', async () => {
  const { client, stop } = await startServer({
    plugins: [flowControl],
    vendor: 'kubernetes',
    kubernetesVersion: '1.30',
    options: { runtimeConfig: { 'flowcontrol.apiserver.k8s.io/v1beta3': 'true' } },
  })
  try {
    const levelsIn = (version: string) =>
      client.resource<PriorityLevel & ApiObject>({
        group: 'flowcontrol.apiserver.k8s.io',
        version,
        resource: 'prioritylevelconfigurations',
      })
    const [current, older] = [levelsIn('v1'), levelsIn('v1beta3')]
    const limited = (nominalConcurrencyShares: number) => ({
      spec: { type: 'Limited', limited: { nominalConcurrencyShares, limitResponse: { type: 'Reject' } } },
    })
    await current.create({ metadata: { name: 'none' }, ...limited(0) })
    const asOlder = await older.get('none')
    const annotation = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares'
    assert.is(asOlder.metadata.annotations?.[annotation], '')
    await older.update({ ...asOlder, metadata: { ...asOlder.metadata, labels: { a: 'b' } } })
    const { metadata, spec } = await current.get('none')
    assert.equal([metadata.labels, metadata.annotations], [{ a: 'b' }, undefined])
    assert.is(spec?.limited?.nominalConcurrencyShares, 0)
    await older.create({ metadata: { name: 'default' }, ...limited(0) })
    assert.is((await current.get('default')).spec?.limited?.nominalConcurrencyShares, 30)

    await current.patch('exempt', { spec: { exempt: { nominalConcurrencyShares: 5 } } })
    // The loop reconciles this one after it.
    await current.patch('system', { spec: { limited: { nominalConcurrencyShares: 1 } } })
    const deadline = Date.now() + 10_000
    while ((await current.get('system')).spec?.limited?.nominalConcurrencyShares !== 30 && Date.now() < deadline)
      await new Promise(resolve => setTimeout(resolve, 20))
    assert.is((await current.get('system')).spec?.limited?.nominalConcurrencyShares, 30)
    assert.is((await current.get('exempt')).spec?.exempt?.nominalConcurrencyShares, 5)
  } finally {
    await stop()
  }
})
served.run()

import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { aggregation } from 'orch/plugins/aggregation'
import { customResources } from 'orch/plugins/custom-resources'
import { namespaces } from 'orch/plugins/namespaces'
import { networking } from 'orch/plugins/networking'
import { webhooks } from 'orch/plugins/webhooks'
import { startServer, type TestServer, testAuthority } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'

const group = 'fruit.example.com'
const services = '/apis/apiregistration.k8s.io/v1/apiservices'
const name = `v1.${group}`

/** What an extension server, or a user who registers one, can do to this server. */
const extensions = suite('extension servers')
let server: TestServer
extensions.before(async () => {
  server = await startServer({
    vendor: 'kubernetes',
    plugins: [namespaces, networking, webhooks, customResources, aggregation],
  })
})
extensions.after(() => server?.stop())

const ask = async (method: string, path: string, body?: unknown) => {
  const answer = await fetch(server.baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, text, json: text.startsWith('{') ? JSON.parse(text) : undefined }
}

extensions('one that switches protocols without a request for it is unavailable, and blocks no request', async () => {
  const authority = await testAuthority()
  const { certificatePem, keyPem } = await authority.server('fruit.farm.svc')
  const hasty = createServer({ cert: certificatePem, key: keyPem }, request => {
    request.socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n')
  })
  hasty.listen(0, '127.0.0.1')
  await once(hasty, 'listening')
  try {
    const { port } = hasty.address() as AddressInfo
    await ask('POST', '/api/v1/namespaces', { metadata: { name: 'farm' } })
    const spec = { type: 'ExternalName', externalName: '127.0.0.1' }
    assert.is(
      (await ask('POST', '/api/v1/namespaces/farm/services', { metadata: { name: 'fruit' }, spec })).status,
      201,
    )
    const registered = await ask('POST', services, {
      metadata: { name },
      spec: {
        group,
        version: 'v1',
        groupPriorityMinimum: 1500,
        versionPriority: 10,
        service: { namespace: 'farm', name: 'fruit', port },
        caBundle: Buffer.from(authority.caPem).toString('base64'),
      },
    })
    assert.is(registered.status, 201, registered.text)
    const found = await eventually('its availability', async () => {
      const { json } = await ask('GET', `${services}/${name}`)
      return json.status?.conditions?.[0]?.reason === 'FailedDiscoveryCheck' && json
    })
    // As if it had been available before another program replaced it.
    found.status.conditions[0].status = 'True'
    assert.is((await ask('PUT', `${services}/${name}/status`, found)).status, 200)
    const answer = await Promise.race([ask('GET', `/apis/${group}/v1/fruits`), wait(20_000, 'no answer')])
    assert.is(typeof answer === 'string' ? answer : answer.status, 503)
    assert.is((await ask('GET', '/openapi/v2')).status, 200)
  } finally {
    hasty.closeAllConnections()
    hasty.close()
  }
})

extensions('one whose documents are unchanged is not asked for them again', async () => {
  const berries = 'berries.example.com'
  const root = `/apis/${berries}/v1`
  const authority = await testAuthority()
  const { certificatePem, keyPem } = await authority.server('berries.farm.svc')
  const documents: Record<string, object> = {
    [root]: { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: `${berries}/v1`, resources: [] },
    '/openapi/v2': { swagger: '2.0', paths: { [`${root}/berries`]: {} }, definitions: {} },
    [`/openapi/v3${root}`]: { openapi: '3.0.0', paths: { [`${root}/berries`]: {} } },
  }
  const conditions: (string | undefined)[] = []
  const extension = createServer({ cert: certificatePem, key: keyPem }, ({ url = '', headers }, response) => {
    const isDocument = url.startsWith('/openapi/')
    const etag = `"${url.length}"`
    if (isDocument) conditions.push(headers['if-none-match'])
    if (isDocument && headers['if-none-match'] === etag) response.writeHead(304).end()
    else response.writeHead(documents[url] ? 200 : 404, { etag }).end(JSON.stringify(documents[url] ?? {}))
  })
  extension.listen(0, '127.0.0.1')
  await once(extension, 'listening')
  try {
    const { port } = extension.address() as AddressInfo
    await ask('POST', '/api/v1/namespaces', { metadata: { name: 'farm' } })
    const spec = { type: 'ExternalName', externalName: '127.0.0.1' }
    await ask('POST', '/api/v1/namespaces/farm/services', { metadata: { name: 'berries' }, spec })
    const path = `${services}/v1.${berries}`
    const registered = await ask('POST', services, {
      metadata: { name: `v1.${berries}` },
      spec: {
        group: berries,
        version: 'v1',
        groupPriorityMinimum: 1500,
        versionPriority: 10,
        service: { namespace: 'farm', name: 'berries', port },
        caBundle: Buffer.from(authority.caPem).toString('base64'),
      },
    })
    assert.is(registered.status, 201, registered.text)
    const isDescribed = async () => {
      const [v2, v3] = [await ask('GET', '/openapi/v2'), await ask('GET', '/openapi/v3')]
      return v2.json.paths[`${root}/berries`] !== undefined && v3.json.paths[root.slice(1)] !== undefined
    }
    await eventually('its documents', isDescribed)
    assert.equal(conditions, [undefined, undefined])
    // The documents are read when it becomes available.
    const reads = conditions.length
    await eventually('another read of its documents', async () => {
      const { json } = await ask('GET', path)
      json.status.conditions[0].status = json.status.conditions[0].status === 'True' ? 'False' : 'True'
      await ask('PUT', `${path}/status`, json)
      return conditions.length > reads + 1
    })
    assert.equal(conditions.slice(2, 4), ['"11"', `"${`/openapi/v3${root}`.length}"`])
    await eventually('its availability', async () => (await ask('GET', `${root}`)).status === 200)
    assert.ok(await isDescribed())
  } finally {
    extension.closeAllConnections()
    extension.close()
  }
})

extensions('an APIService can be replaced only with its resourceVersion', async () => {
  const { json } = await ask('GET', `${services}/${name}`)
  for (const path of ['', '/status']) {
    const { resourceVersion: _, ...metadata } = json.metadata
    const answer = await ask('PUT', `${services}/${name}${path}`, { ...json, metadata })
    const [cause] = answer.json.details?.causes ?? []
    assert.equal([answer.status, cause?.field], [422, 'metadata.resourceVersion'], answer.text)
  }
})

extensions.run()

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

/** Serves these documents as `name` in a namespace, with ETags. `seen` has the path and the condition of each request for a document of OpenAPI. */
async function extensionServer(name: string, documents: Readonly<Record<string, string>>) {
  const authority = await testAuthority()
  const { certificatePem, keyPem } = await authority.server(`${name}.farm.svc`)
  const seen: (readonly [path: string, condition: string | undefined])[] = []
  const extension = createServer({ cert: certificatePem, key: keyPem }, ({ url = '', headers }, response) => {
    const etag = `"${url.length}"`
    const condition = headers['if-none-match']
    if (url.startsWith('/openapi/')) seen.push([url, condition])
    if (condition === etag) response.writeHead(304).end()
    else response.writeHead(documents[url] ? 200 : 404, { etag }).end(documents[url])
  })
  extension.listen(0, '127.0.0.1')
  await once(extension, 'listening')
  const { port } = extension.address() as AddressInfo
  await ask('POST', '/api/v1/namespaces', { metadata: { name: 'farm' } })
  const spec = { type: 'ExternalName', externalName: '127.0.0.1' }
  await ask('POST', '/api/v1/namespaces/farm/services', { metadata: { name }, spec })
  const register = async (served: string, version: string) => {
    const registered = await ask('POST', services, {
      metadata: { name: `${version}.${served}` },
      spec: {
        group: served,
        version,
        groupPriorityMinimum: 1500,
        versionPriority: 10,
        service: { namespace: 'farm', name, port },
        caBundle: Buffer.from(authority.caPem).toString('base64'),
      },
    })
    assert.is(registered.status, 201, registered.text)
  }
  const close = () => {
    extension.closeAllConnections()
    extension.close()
  }
  return { seen, register, close }
}
const resourcesOf = (groupVersion: string) =>
  JSON.stringify({ kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: [] })

extensions('documents that have not changed are not sent again', async () => {
  const berries = 'berries.example.com'
  const root = `/apis/${berries}/v1`
  const v3 = `/openapi/v3${root}`
  const extension = await extensionServer('berries', {
    [root]: resourcesOf(`${berries}/v1`),
    '/openapi/v2': JSON.stringify({ swagger: '2.0', paths: { [`${root}/berries`]: {} }, definitions: {} }),
    [v3]: JSON.stringify({ openapi: '3.0.0', paths: { [`${root}/berries`]: {} } }),
  })
  try {
    await extension.register(berries, 'v1')
    const isDescribed = async () => {
      const [inV2, inV3] = [await ask('GET', '/openapi/v2'), await ask('GET', '/openapi/v3')]
      return inV2.json.paths[`${root}/berries`] !== undefined && inV3.json.paths[root.slice(1)] !== undefined
    }
    await eventually('its documents', isDescribed)
    const first = extension.seen.splice(0)
    assert.equal(first, [
      ['/openapi/v2', undefined],
      [v3, undefined],
    ])
    // They are read whenever it becomes available.
    const path = `${services}/v1.${berries}`
    await eventually('another read of its documents', async () => {
      const { json } = await ask('GET', path)
      const [condition] = json.status.conditions
      condition.status = condition.status === 'True' ? 'False' : 'True'
      await ask('PUT', `${path}/status`, json)
      return extension.seen.length >= 2
    })
    const again = extension.seen.slice(0, 2)
    assert.equal(again, [
      ['/openapi/v2', `"${'/openapi/v2'.length}"`],
      [v3, `"${v3.length}"`],
    ])
    assert.ok(await isDescribed())
  } finally {
    extension.close()
  }
})

extensions('a document that nests too deeply to be written is left out', async () => {
  const roots = 'roots.example.com'
  const root = `/apis/${roots}/v1`
  const levels = 5000
  const deep = `${'{"a":'.repeat(levels)}{}${'}'.repeat(levels)}`
  const extension = await extensionServer('roots', {
    [root]: resourcesOf(`${roots}/v1`),
    '/openapi/v2': `{"swagger":"2.0","paths":{"${root}/deep":${deep}},"definitions":{}}`,
    [`/openapi/v3${root}`]: `{"openapi":"3.0.0","paths":${deep}}`,
  })
  try {
    await extension.register(roots, 'v1')
    await eventually('a read of its documents', async () => extension.seen.length >= 2)
    await wait(200)
    for (const path of ['/openapi/v2', '/openapi/v3']) {
      const { status, text } = await ask('GET', path)
      assert.equal([status, text.includes(roots)], [200, false], path)
    }
  } finally {
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

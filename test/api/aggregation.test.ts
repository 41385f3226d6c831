import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { aggregation } from 'orch/plugins/aggregation'
import { customResources } from 'orch/plugins/custom-resources'
import { namespaces } from 'orch/plugins/namespaces'
import { networking } from 'orch/plugins/networking'
import { webhooks } from 'orch/plugins/webhooks'
import { startServer, type TestServer, testAuthority } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { base, Extension, group } from './fruit-extension.js'

const vendors = [
  { vendor: 'orch', domain: 'orch.io', prefix: 'orch' },
  { vendor: 'kubernetes', domain: 'k8s.io', prefix: 'kube' },
] as const

/** Waits until a check passes; throws its last error on timeout. */
async function becomesTrue(check: () => void | Promise<void>): Promise<void> {
  let failure: unknown
  const passes = async () => {
    try {
      await check()
      return true
    } catch (error) {
      failure = error
      return false
    }
  }
  await eventually('a check', passes).catch(() => {
    throw failure
  })
}

for (const { vendor, domain, prefix } of vendors) {
  const aggregated = suite(`aggregated APIs of vendor ${vendor}`)
  const services = `/apis/apiregistration.${domain}/v1/apiservices`
  let server: TestServer
  let extension: Extension
  let caBundle: string

  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const answer = await fetch(server.baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      json: text.startsWith('{') ? JSON.parse(text) : undefined,
    }
  }
  const register = (version: string, spec: object) =>
    ask('POST', services, {
      metadata: { name: `${version}.${group}` },
      spec: { group, version, groupPriorityMinimum: 1500, versionPriority: 10, ...spec },
    })
  const available = (name: string) =>
    becomesTrue(async () => {
      const { json } = await ask('GET', `${services}/${name}`)
      assert.is(json.status?.conditions?.[0]?.status, 'True', JSON.stringify(json.status))
    })
  const behind = () => ({ service: { namespace: 'farm', name: 'fruit', port: extension.port }, caBundle })

  aggregated('a server and an extension server start', async () => {
    const authority = await testAuthority()
    const proxy = await authority.client('front-proxy')
    const folder = temporaryFolder().path
    const [cert, key] = [join(folder, 'proxy.crt'), join(folder, 'proxy.key')]
    writeFileSync(cert, proxy.certificatePem)
    writeFileSync(key, proxy.keyPem)
    extension = new Extension(await authority.server('fruit.farm.svc'), authority.caPem)
    extension.server.listen(0, '127.0.0.1')
    await once(extension.server, 'listening')
    caBundle = Buffer.from(authority.caPem).toString('base64')
    server = await startServer({
      plugins: [namespaces, networking, webhooks, customResources, aggregation],
      vendor,
      options: {
        proxyClientCertFile: cert,
        proxyClientKeyFile: key,
        maxRequestsPerExtensionServer: 3,
        requestTimeout: '3s',
      },
    })
    await ask('POST', '/api/v1/namespaces', { metadata: { name: 'farm' } })
    await ask('POST', '/api/v1/namespaces/farm/services', {
      metadata: { name: 'fruit' },
      spec: { type: 'ExternalName', externalName: '127.0.0.1' },
    })
    assert.is((await register('v1', behind())).status, 201)
    await available(`v1.${group}`)
  })

  aggregated('requests are forwarded with the identity of the user and without its credentials', async () => {
    extension.seen.length = 0
    const answer = await ask(
      'POST',
      `${base}/fruits?dryRun=All`,
      { a: 1 },
      {
        'x-remote-user': 'forged',
        'x-remote_extra-role': 'forged',
        'impersonate-user': Buffer.from('jürgen').toString('latin1'),
        'impersonate-group': 'system:masters',
        'impersonate-extra-example.com%2frole': 'picker',
        'x-asked': 'kept',
      },
    )
    assert.equal([answer.status, answer.headers.get('x-own'), answer.json.body], [201, 'kept', '{"a":1}'])
    const [{ url, headers, peer }] = extension.seen as [(typeof extension.seen)[0]]
    assert.equal([url, peer, headers['x-asked']], [`${base}/fruits?dryRun=All`, 'front-proxy', 'kept'])
    assert.is(Buffer.from(String(headers['x-remote-user']), 'latin1').toString(), 'jürgen')
    assert.is(headers['x-remote-group'], 'system:masters, system:authenticated')
    assert.is(headers['x-remote-extra-example.com%2frole'], 'picker')
    const others = /^(authorization|impersonate|x-remote-extra-role)|_/
    assert.not(Object.keys(headers).some(name => others.test(name)))
  })

  aggregated('deleting a namespace deletes the objects that an extension server has in it', async () => {
    await ask('POST', '/api/v1/namespaces', { metadata: { name: 'orchard' } })
    for (const basket of ['orchard', 'garden']) extension.baskets.set(basket, ['apple'])
    await ask('DELETE', '/api/v1/namespaces/orchard')
    const left = async () => [(await ask('GET', '/api/v1/namespaces/orchard')).status, ...extension.baskets.keys()]
    await becomesTrue(async () => assert.equal(await left(), [404, 'garden']))
  })
  aggregated('an upgraded connection carries data both ways and ends with either side', async () => {
    const { hostname, port } = new URL(server.baseUrl)
    const request = httpRequest({
      hostname,
      port,
      path: `${base}/fruits/apple/exec`,
      headers: { authorization: `Bearer ${server.token}`, connection: 'Upgrade', upgrade: 'echo' },
    }).end()
    const [response, socket, head] = (await once(request, 'upgrade')) as [IncomingMessage, Socket, Buffer]
    assert.equal([response.statusCode, response.headers.upgrade, response.headers['x-own']], [101, 'echo', 'kept'])
    let heard = head.toString()
    socket.on('data', chunk => (heard += chunk))
    socket.write('you')
    await becomesTrue(() => assert.is(heard, 'hello you'))
    const sent = extension.seen.find(({ method }) => method === 'UPGRADE')
    assert.equal([sent?.headers['x-remote-user'] !== undefined, sent?.headers.authorization], [true, undefined])
    socket.end()
    await once(socket, 'close')
  })
  aggregated('an upgrade request without permission, or for another path, gets a plain answer', async () => {
    const upgrade = { connection: 'Upgrade', upgrade: 'echo' }
    const { hostname, port } = new URL(server.baseUrl)
    const statusOf = async (path: string, token: string) => {
      const headers = { authorization: `Bearer ${token}`, ...upgrade }
      const [response] = (await once(httpRequest({ hostname, port, path, headers }).end(), 'response')) as [
        IncomingMessage,
      ]
      response.resume()
      return response.statusCode
    }
    assert.is(await statusOf(`${base}/fruits/apple/exec`, 'wrong'), 401)
    assert.is(await statusOf('/api/v1/namespaces', server.token), 200)
  })

  aggregated('a watch streams while its client reads, and ends with the client', async () => {
    const client = new AbortController()
    const answer = await fetch(`${server.baseUrl}${base}/fruits?watch=true`, {
      headers: { authorization: `Bearer ${server.token}` },
      signal: client.signal,
    })
    const first = await answer.body?.getReader().read()
    assert.is(Buffer.from(first?.value ?? []).toString(), '{"type":"ADDED"}\n')
    assert.is(extension.watchers.size, 1)
    client.abort()
    await becomesTrue(() => assert.is(extension.watchers.size, 0))
  })

  aggregated('backpressure of a client that does not read reaches the extension server', async () => {
    const { hostname, port } = new URL(server.baseUrl)
    const headers = { authorization: `Bearer ${server.token}` }
    const request = httpRequest({ hostname, port, path: `${base}/fruits/flood`, headers }).end()
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    let before = -1
    await becomesTrue(async () => {
      before = extension.sentBytes
      await new Promise(resolve => setTimeout(resolve, 200))
      assert.is(extension.sentBytes, before)
    })
    assert.ok(before < 64 * 1024 * 1024, `${before} bytes were taken`)
    response.destroy()
    await becomesTrue(() => assert.is(extension.floods.size, 0))
  })

  aggregated('concurrent requests beyond the limit are rejected, and slow ones time out', async () => {
    const fast = () => Promise.all([1, 2, 3].map(() => ask('GET', `${base}/fruits/a`)))
    await becomesTrue(async () => assert.ok((await fast()).every(({ status }) => status === 200)))
    extension.seen.length = 0
    const slow = [1, 2, 3].map(() => ask('GET', `${base}/fruits/slow`))
    await becomesTrue(() => assert.is(extension.seen.filter(({ url }) => url.endsWith('/slow')).length, 3))
    await becomesTrue(async () => assert.is((await ask('GET', `${base}/fruits/a`)).status, 429))
    assert.equal(
      (await Promise.all(slow)).map(({ status }) => status),
      [504, 504, 504],
    )
    await becomesTrue(async () => assert.is((await ask('GET', `${base}/fruits/a`)).status, 200))
  })

  aggregated('paths that leave the API are rejected before the extension server is called', async () => {
    extension.seen.length = 0
    const { hostname, port } = new URL(server.baseUrl)
    for (const path of [`${base}/../../../api/v1/secrets`, `${base}/%2e%2e/x`, `${base}/./x`]) {
      const headers = { authorization: `Bearer ${server.token}` }
      const [response] = (await once(httpRequest({ hostname, port, path, headers }).end(), 'response')) as [
        IncomingMessage,
      ]
      response.resume()
      assert.is(response.statusCode, 400, path)
    }
    assert.is(extension.seen.length, 0)
  })

  aggregated('discovery shows groups and versions by their priorities', async () => {
    await register('v2', { versionPriority: 20 })
    await becomesTrue(async () => {
      const { json } = await ask('GET', '/apis')
      const names = json.groups.map(({ name }: { name: string }) => name)
      const found = json.groups.find(({ name }: { name: string }) => name === group)
      assert.equal(
        [found?.preferredVersion.version, found?.versions.map(({ version }: { version: string }) => version)],
        ['v2', ['v2', 'v1']],
      )
      assert.is(names[0], `apiregistration.${domain}`)
      assert.is(names.at(-1), group)
    })
    await ask('DELETE', `${services}/v2.${group}`)
  })

  aggregated('OpenAPI includes the paths of the extension server group, and nothing else from it', async () => {
    await becomesTrue(async () => {
      const { json } = await ask('GET', '/openapi/v2')
      assert.ok(json.paths[`${base}/fruits`])
      assert.equal([json.paths['/apis/other/v1'], json.definitions['com.example.Unused']], [undefined, undefined])
      assert.equal(json.definitions['com.example.Fruit'], { type: 'object' })
      assert.ok(json.paths['/api/v1/namespaces'])
    })
  })

  aggregated('versions of custom types have an APIService while they are served, even if it is deleted', async () => {
    const definitions = `/apis/apiextensions.${domain}/v1/customresourcedefinitions`
    await ask('POST', definitions, {
      metadata: { name: 'trees.wood.example.com' },
      spec: {
        group: 'wood.example.com',
        scope: 'Cluster',
        names: { plural: 'trees', kind: 'Tree' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    })
    const label = `${prefix}-aggregator.${vendor === 'orch' ? 'orch.io' : 'kubernetes.io'}/automanaged`
    const name = `${services}/v1.wood.example.com`
    let uid = ''
    await becomesTrue(async () => {
      const { status, json } = await ask('GET', name)
      assert.equal(
        [status, json.metadata?.labels?.[label], json.status?.conditions?.[0]?.reason],
        [200, 'true', 'Local'],
      )
      uid = json.metadata.uid
    })
    await ask('DELETE', name)
    await becomesTrue(async () => {
      const { status, json } = await ask('GET', name)
      assert.ok(status === 200 && json.metadata.uid !== uid)
    })
    const own = (await ask('GET', `${services}/v1.`)).json
    assert.equal([own.metadata.labels[label], own.spec.groupPriorityMinimum], ['onstart', 18000])
    await ask('DELETE', `${definitions}/trees.wood.example.com`)
    await becomesTrue(async () => assert.is((await ask('GET', name)).status, 404))
  })

  aggregated('without its APIService the API is not served', async () => {
    await ask('DELETE', `${services}/v1.${group}`)
    await becomesTrue(async () => assert.is((await ask('GET', `${base}/fruits/a`)).status, 404))
    await server.stop()
    extension.server.closeAllConnections()
    extension.server.close()
  })

  aggregated.run()
}

import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { startServer, type TestServer, testAuthority } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'

interface Version {
  readonly version: string
  readonly resources?: readonly { readonly resource: string; readonly responseKind: object }[]
  readonly freshness: string
}
interface Groups {
  readonly kind: string
  readonly apiVersion: string
  readonly items: readonly { readonly metadata: { readonly name?: string }; readonly versions: readonly Version[] }[]
}

const accept = (version: string, mediaType = 'application/json') =>
  `${mediaType};g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`

async function ask(server: TestServer, path: string, accepted: string, headers: Record<string, string> = {}) {
  const answer = await fetch(server.baseUrl + path, {
    headers: { authorization: `Bearer ${server.token}`, accept: accepted, ...headers },
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, text, document: () => JSON.parse(text) as Groups }
}
const send = async (server: TestServer, method: string, path: string, body?: object) => {
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' }
  const answer = await fetch(server.baseUrl + path, {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: answer.status, text: await answer.text() }
}

async function withVersion(kubernetesVersion: string, run: (server: TestServer) => Promise<void>): Promise<void> {
  const server = await startServer({ vendor: 'kubernetes', kubernetesVersion, options: { controllers: ['-*'] } })
  try {
    await run(server)
  } finally {
    await server.stop()
  }
}

const discovery = suite('discovery in one document')
let server: TestServer
discovery.before(async () => {
  server = await startServer({ vendor: 'kubernetes', kubernetesVersion: '1.36' })
})
discovery.after(() => server?.stop())

discovery('contains what the separate documents contain', async () => {
  const core = (await ask(server, '/api', accept('v2'))).document()
  const others = (await ask(server, '/apis', accept('v2'))).document()
  assert.equal([core.kind, core.apiVersion, core.items.length], ['APIGroupDiscoveryList', 'apidiscovery.k8s.io/v2', 1])
  const { groups } = JSON.parse((await ask(server, '/apis', 'application/json')).text) as { groups: { name: string }[] }
  assert.equal(
    others.items.map(({ metadata }) => metadata.name),
    groups.map(({ name }) => name),
  )
  for (const { metadata, versions } of [...core.items, ...others.items])
    for (const { version, resources = [], freshness } of versions) {
      const path = metadata.name === undefined ? `/api/${version}` : `/apis/${metadata.name}/${version}`
      const list = JSON.parse((await ask(server, path, 'application/json')).text) as { resources: { name: string }[] }
      assert.equal(
        resources.map(({ resource }) => resource),
        list.resources.map(({ name }) => name).filter(name => !name.includes('/')),
        path,
      )
      assert.is(freshness, 'Current')
    }
})

discovery('is not sent again to a client that has it, and changes with the types', async () => {
  const first = await ask(server, '/apis', accept('v2'))
  const etag = first.headers.get('etag') ?? ''
  assert.match(etag, /^"[0-9A-F]{128}"$/)
  assert.equal([first.headers.get('vary'), first.headers.get('cache-control')], ['Accept', 'public'])
  const again = await ask(server, '/apis', accept('v2'), { 'if-none-match': etag })
  assert.equal([again.status, again.text, again.headers.get('etag')], [304, '', etag])
  const schema = { openAPIV3Schema: { type: 'object' } }
  const names = { plural: 'gadgets', kind: 'Gadget', singular: 'gadget', shortNames: ['gd'] }
  const versions = [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {} } }]
  const spec = { group: 'shop.test', scope: 'Cluster', names, versions }
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  assert.is((await send(server, 'POST', path, { metadata: { name: 'gadgets.shop.test' }, spec })).status, 201)
  const changed = await eventually('the new group', async () => {
    const answer = await ask(server, '/apis', accept('v2'), { 'if-none-match': etag })
    return answer.status === 200 && answer
  })
  const responseKind = { group: 'shop.test', version: 'v1', kind: 'Gadget' }
  const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']
  assert.equal(changed.document().items.find(({ metadata }) => metadata.name === 'shop.test')?.versions, [
    {
      version: 'v1',
      resources: [
        {
          resource: 'gadgets',
          responseKind,
          scope: 'Cluster',
          singularResource: 'gadget',
          verbs,
          shortNames: ['gd'],
          subresources: [{ subresource: 'status', responseKind, verbs: ['get', 'patch', 'update'] }],
        },
      ],
      freshness: 'Current',
    },
  ])
})

discovery('is available in YAML and Protobuf, and only sent to clients that request it', async () => {
  const yaml = await ask(server, '/api', accept('v2', 'application/yaml'))
  assert.is(yaml.headers.get('content-type'), accept('v2', 'application/yaml'))
  assert.match(yaml.text, /^apiVersion: apidiscovery\.k8s\.io\/v2\n/)
  const protobuf = await ask(server, '/api', accept('v2', 'application/vnd.kubernetes.protobuf'))
  assert.ok(protobuf.text.startsWith('k8s\0'))
  assert.ok(protobuf.text.includes('persistentvolumeclaims'))
  assert.is((await ask(server, '/apis', 'application/json')).document().kind, 'APIGroupList')
  assert.is((await ask(server, '/apis', accept('v2beta1'))).status, 406, 'the beta version is gone')
  assert.is((await ask(server, '/apis/apps', accept('v2'))).status, 406)
})

discovery('marks the last answer of an extension server as stale when it is unavailable', async () => {
  const group = 'fruit.example.com'
  const authority = await testAuthority()
  const { certificatePem, keyPem } = await authority.server('fruit.farm.svc')
  const resources = [{ name: 'fruits', singularName: 'fruit', namespaced: true, kind: 'Fruit', verbs: ['get'] }]
  const extension = createServer({ cert: certificatePem, key: keyPem }, (request, response) => {
    const isList = request.url === `/apis/${group}/v1`
    response.writeHead(isList ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isList ? { kind: 'APIResourceList', groupVersion: `${group}/v1`, resources } : {}))
  })
  extension.listen(0, '127.0.0.1')
  await once(extension, 'listening')
  const { port } = extension.address() as AddressInfo
  await send(server, 'POST', '/api/v1/namespaces', { metadata: { name: 'farm' } })
  const external = { type: 'ExternalName', externalName: '127.0.0.1' }
  await send(server, 'POST', '/api/v1/namespaces/farm/services', { metadata: { name: 'fruit' }, spec: external })
  const spec = {
    group,
    version: 'v1',
    groupPriorityMinimum: 100,
    versionPriority: 10,
    service: { namespace: 'farm', name: 'fruit', port },
    caBundle: Buffer.from(authority.caPem).toString('base64'),
  }
  const path = '/apis/apiregistration.k8s.io/v1/apiservices'
  try {
    const made = await send(server, 'POST', path, { metadata: { name: `v1.${group}` }, spec })
    assert.is(made.status, 201, made.text)
    const versionsIn = async (freshness: string) => {
      const { items } = (await ask(server, '/apis', accept('v2'))).document()
      const found = items.find(({ metadata }) => metadata.name === group)?.versions[0]
      return found?.freshness === freshness && found.resources !== undefined && found
    }
    const current = await eventually('the types of the extension server', () => versionsIn('Current'), 30_000)
    assert.equal(current.resources?.[0]?.responseKind, { group: '', version: '', kind: 'Fruit' })
    extension.closeAllConnections()
    extension.close()
    const { conditions } = JSON.parse((await send(server, 'GET', `${path}/v1.${group}`)).text).status
    const stopped = {
      metadata: { name: `v1.${group}` },
      status: { conditions: [{ ...conditions[0], status: 'False' }] },
    }
    const merge = { authorization: `Bearer ${server.token}`, 'content-type': 'application/merge-patch+json' }
    const patched = await fetch(`${server.baseUrl}${path}/v1.${group}/status`, {
      method: 'PATCH',
      headers: merge,
      body: JSON.stringify(stopped),
    })
    assert.is(patched.status, 200)
    const stale = await eventually('the mark of a stale answer', () => versionsIn('Stale'), 30_000)
    assert.equal(stale.resources, current.resources)
  } finally {
    await send(server, 'DELETE', `${path}/v1.${group}`)
    extension.close()
  }
})

discovery('has the media types of the served version', async () => {
  await withVersion('1.25', async old => {
    assert.is((await ask(old, '/apis', accept('v2beta1'))).status, 406)
    assert.is((await ask(old, '/apis', `${accept('v2beta1')},application/json`)).document().kind, 'APIGroupList')
  })
  await withVersion('1.27', async beta => {
    const answer = await ask(beta, '/apis', `${accept('v2')},${accept('v2beta1')},application/json`)
    assert.is(answer.document().apiVersion, 'apidiscovery.k8s.io/v2beta1')
  })
  await withVersion('1.30', async both => {
    for (const version of ['v2', 'v2beta1'])
      assert.is((await ask(both, '/apis', accept(version))).document().apiVersion, `apidiscovery.k8s.io/${version}`)
  })
})

discovery.run()

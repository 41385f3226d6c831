import { kubernetesProfile, orchProfile } from 'orch/sdk'
import { createClient, httpTransport, type Transport } from 'orch/sdk/client'
import { startServer, type TestServerOptions } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { oneDocumentDiscovery } from './one-document-discovery.js'

const discovery = suite('discovery of orchctl')

async function compare(options: TestServerOptions, expected: (requests: readonly string[]) => void): Promise<void> {
  const server = await startServer(options)
  const transport = httpTransport({ server: server.baseUrl, credentials: { token: server.token } })
  try {
    const requests: string[] = []
    const counted: Transport = request => {
      requests.push(request.path)
      return transport(request)
    }
    const byParts = await createClient({ transport }).kinds()
    const found = await createClient({ transport: oneDocumentDiscovery(counted) }).kinds()
    assert.ok(byParts.all.length > 50)
    const sorted = (kinds: typeof found) =>
      kinds.all.map(one => ({ ...one, subresources: [...one.subresources].sort() }))
    assert.equal(sorted(found), sorted(byParts))
    assert.equal(found.unavailable, [])
    expected(requests.sort())
  } finally {
    await transport.close()
    await server.stop()
  }
}
const inTwo = (requests: readonly string[]) => assert.equal(requests, ['/api', '/apis'])

discovery('takes two requests, with the names of each vendor', async () => {
  await compare({ vendor: orchProfile }, inTwo)
  await compare({ vendor: kubernetesProfile }, inTwo)
})

discovery('requests every version from a server without aggregated discovery', () =>
  compare({ vendor: kubernetesProfile, options: { kubernetesVersion: '1.23' } }, requests =>
    assert.ok(requests.length > 20 && requests.includes('/apis/apps/v1')),
  ),
)

discovery('requests a group whose server is unavailable, to report that', async () => {
  const asked: string[] = []
  const document = {
    items: [
      {
        metadata: { name: 'well.test' },
        versions: [{ version: 'v1', resources: [{ resource: 'a', responseKind: { kind: 'A' } }] }],
      },
      { metadata: { name: 'away.test' }, versions: [{ version: 'v1', freshness: 'Stale', resources: [] }] },
    ],
  }
  const body = (value: unknown) =>
    (async function* () {
      yield Buffer.from(JSON.stringify(value))
    })()
  const transport: Transport = async ({ path }) => {
    asked.push(path)
    if (path === '/api')
      return { status: 200, headers: { 'content-type': 'application/json' }, body: body({ versions: [] }) }
    const type = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
    if (path === '/apis') return { status: 200, headers: { 'content-type': type }, body: body(document) }
    return { status: 500, headers: {}, body: body({}) }
  }
  const kinds = await createClient({ transport: oneDocumentDiscovery(transport) }).kinds()
  assert.equal([kinds.all.map(({ kind }) => kind), kinds.unavailable], [['A'], ['away.test/v1']])
  assert.ok(asked.includes('/apis/away.test/v1') && !asked.includes('/apis/well.test/v1'))
})

discovery.run()

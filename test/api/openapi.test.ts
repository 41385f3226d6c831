import { configuration } from 'orch/plugins/configuration'
import { namespaces } from 'orch/plugins/namespaces'
import { orchProfile } from 'orch/sdk'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const { definitionPrefix } = orchProfile

async function get(server: TestServer, path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(server.baseUrl + path, { headers: { authorization: `Bearer ${server.token}`, ...headers } })
}
async function withServer(run: (server: TestServer) => Promise<void>): Promise<void> {
  const server = await startServer({ plugins: [namespaces, configuration] })
  try {
    await run(server)
  } finally {
    await server.stop()
  }
}

const openApi = suite('OpenAPI over HTTP')

openApi('version 2 is served as JSON and as Protobuf, and can be cached', () =>
  withServer(async server => {
    const json = await get(server, '/openapi/v2')
    const document = JSON.parse(await json.text()) as { definitions: object; paths: object }
    assert.ok(`${definitionPrefix}core.v1.ConfigMap` in document.definitions)
    assert.ok('/api/v1/namespaces/{namespace}/configmaps/{name}' in document.paths)
    const again = await get(server, '/openapi/v2', { 'if-none-match': json.headers.get('etag') ?? '' })
    assert.is(again.status, 304)
    await again.arrayBuffer()
    const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'
    const bytes = Buffer.from(await (await get(server, '/openapi/v2', { accept })).arrayBuffer())
    assert.is(bytes.subarray(0, 5).toString('latin1'), '\n\u00032.0')
    const refused = await get(server, '/openapi/v2', { accept: 'text/html' })
    assert.is(refused.status, 406)
    await refused.arrayBuffer()
  }),
)
openApi('version 3 leads from its index to every group version', () =>
  withServer(async server => {
    const index = (await (await get(server, '/openapi/v3')).json()) as {
      paths: Record<string, { serverRelativeURL: string }>
    }
    for (const [path, { serverRelativeURL }] of Object.entries(index.paths)) {
      const document = (await (await get(server, serverRelativeURL)).json()) as { openapi: string }
      assert.is(document.openapi, '3.0.0', path)
    }
    const missing = await get(server, '/openapi/v3/apis/none/v1')
    assert.is(missing.status, 404)
    await missing.arrayBuffer()
  }),
)
openApi.run()

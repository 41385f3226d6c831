import { configuration } from 'orch/plugins/configuration'
import { namespaces } from 'orch/plugins/namespaces'
import {
  Bool,
  definePlugin,
  defineResource,
  field,
  Int32,
  Int64,
  Kind,
  ListOf,
  orchProfile,
  required,
  Struct,
  Text,
} from 'orch/sdk'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { describeField } from '../../orchctl/commands/explain/describe-field.js'
import { findSchema } from '../../orchctl/commands/explain/find-schema.js'
import { plainPainter } from '../../orchctl/output/painter.js'

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
openApi('the index of version 3 links to every group version', () =>
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
const Lamp = Kind('lamps.v1.Lamp', {
  color: field(2, Text({ enum: ['red', 'green'], default: 'red' }), 'The color.'),
  watts: required(3, Int32({ minimum: 1, maximum: 100, default: 40 }), 'How bright.'),
  label: field(4, Text({ minLength: 1, maxLength: 20, pattern: '^[a-z]+$' })),
  spares: field(5, ListOf(Text({ enum: ['small', 'large'] }), { minItems: 1, maxItems: 3 })),
  isOn: field(6, Bool({ default: true })),
  shade: field(7, Struct('lamps.v1.Shade', { size: field(1, Int64({ minimum: 5 })) }), { default: { size: 7 } }),
})
const lamps = definePlugin({
  name: 'lamps',
  register: to =>
    to.resource(
      defineResource({
        group: 'example.com',
        kind: 'Lamp',
        resource: 'lamps',
        namespaced: false,
        versions: [{ name: 'v1', schema: Lamp }],
      }),
    ),
})
type Schemas = Record<string, { properties?: Record<string, Record<string, unknown>> }>
const fieldsOf = (schemas: Schemas, name: string) =>
  Object.entries(schemas).find(([key]) => key.endsWith(`lamps.v1.${name}`))?.[1].properties ?? {}

for (const vendor of ['orch', 'kubernetes'])
  openApi(`constraints of a schema are in both versions and in explain, for vendor ${vendor}`, async () => {
    const server = await startServer({ plugins: [lamps], vendor })
    try {
      const v2 = (await (await get(server, '/openapi/v2')).json()) as { definitions: Schemas }
      const v3 = (await (await get(server, '/openapi/v3/apis/example.com/v1')).json()) as {
        components: { schemas: Schemas }
      }
      for (const schemas of [v2.definitions, v3.components.schemas]) {
        const { color, watts, label, spares, isOn, shade } = fieldsOf(schemas, 'Lamp')
        assert.equal(color, { description: 'The color.', type: 'string', enum: ['red', 'green'], default: 'red' })
        const { minimum, maximum, default: usual } = watts ?? {}
        assert.equal([minimum, maximum, usual], [1, 100, 40])
        assert.equal(label, { type: 'string', minLength: 1, maxLength: 20, pattern: '^[a-z]+$' })
        assert.equal([spares?.['minItems'], spares?.['maxItems']], [1, 3])
        assert.equal(spares?.['items'], { type: 'string', enum: ['small', 'large'] })
        assert.equal([isOn?.['default'], shade?.['default']], [true, { size: 7 }])
        assert.is(fieldsOf(schemas, 'Shade')['size']?.['minimum'], 5)
      }
      const kind = (await server.client.kinds()).findByName('lamps')!
      const found = await findSchema(server.client, kind)
      const explained = (...path: string[]) => describeField(kind, found!, path, false, plainPainter)
      assert.match(explained('color'), /The color\.\n\n {5}One of: "red", "green"\n {5}Default: "red"\n/)
      const all = explained()
      assert.match(
        all,
        /watts\t<integer> -required-\n {5}How bright\.\n {5}Default: 40\n {5}Limits: at least 1, at most 100\n/,
      )
      assert.match(all, /label\t<string>\n {5}Limits: at least 1, at most 20 characters\n {5}Pattern: \^\[a-z\]\+\$\n/)
      assert.match(
        all,
        /spares\t<\[\]string>\n {5}Limits: at least 1, at most 3 items\n {5}Each: One of: "small", "large"\n/,
      )
    } finally {
      await server.stop()
    }
  })
openApi.run()

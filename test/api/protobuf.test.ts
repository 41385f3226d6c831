import { configuration } from 'orch/plugins/configuration'
import { namespaces } from 'orch/plugins/namespaces'
import { orchProfile, Vendor } from 'orch/sdk'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compileProtobuf } from '../../kernel/representation/protobuf/codec.js'
import { unwrapEnvelope, wrapEnvelope } from '../../kernel/representation/protobuf/envelope.js'
import { metaType } from '../../kernel/schema/meta-types.js'
import { builtInTypes } from '../schema/built-in-types.js'

const vendor = new Vendor(orchProfile)
const { level } = vendor
const mediaType = vendor.profile.protobufMediaType
const path = '/api/v1/namespaces/default/configmaps'
const configMapType = { apiVersion: 'v1', kind: 'ConfigMap' }
const configMaps = compileProtobuf((await builtInTypes()).get('core.v1.ConfigMap')!)
const body = (object: object) => wrapEnvelope(configMapType, configMaps.encode(object))

interface Answer {
  readonly status: number
  readonly type: string | null
  readonly bytes: Buffer
}
async function call(
  server: TestServer,
  method: string,
  url: string,
  sent?: Buffer,
  accept = mediaType,
): Promise<Answer> {
  const response = await fetch(server.baseUrl + url, {
    method,
    headers: { authorization: `Bearer ${server.token}`, accept, ...(sent ? { 'content-type': mediaType } : {}) },
    ...(sent ? { body: new Uint8Array(sent) } : {}),
  })
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}
async function withServer(run: (server: TestServer) => Promise<void>): Promise<void> {
  const server = await startServer({ plugins: [namespaces, configuration] })
  try {
    await run(server)
  } finally {
    await server.stop()
  }
}

const protobuf = suite('Protobuf over HTTP')

protobuf('objects are created, read, listed and deleted', () =>
  withServer(async server => {
    const created = await call(server, 'POST', path, body({ metadata: { name: 'a' }, data: { k: 'v' } }))
    assert.is(created.status, 201)
    assert.is(created.type, mediaType)
    const object = configMaps.decode(unwrapEnvelope(created.bytes).raw)
    assert.equal(object['data'], { k: 'v' })

    const { kind, raw } = unwrapEnvelope((await call(server, 'GET', path)).bytes)
    assert.is(kind, 'ConfigMapList')
    assert.ok(
      Buffer.from(raw).includes(Buffer.from(configMaps.encode(object))),
      'the list has the object as it was returned',
    )

    const options = compileProtobuf(metaType('DeleteOptions', level)).encode({ preconditions: { uid: 'another' } })
    const refused = await call(
      server,
      'DELETE',
      `${path}/a`,
      wrapEnvelope({ apiVersion: 'v1', kind: 'DeleteOptions' }, options),
    )
    assert.is(refused.status, 409)
    const status = compileProtobuf(metaType('Status', level)).decode(unwrapEnvelope(refused.bytes).raw)
    assert.is(status['reason'], 'Conflict')
    assert.is((await call(server, 'DELETE', `${path}/a`)).status, 200)
  }),
)

protobuf('a watch is a stream of frames with enveloped objects', () =>
  withServer(async server => {
    await call(server, 'POST', path, body({ metadata: { name: 'w' } }))
    const stream = await call(
      server,
      'GET',
      `${path}?watch=1&resourceVersion=0&timeoutSeconds=1`,
      undefined,
      `${mediaType};stream=watch`,
    )
    assert.is(stream.type, `${mediaType};stream=watch`)
    const length = stream.bytes.readUInt32BE(0)
    const event = compileProtobuf(metaType('WatchEvent', level))
    const frame = stream.bytes.subarray(4, 4 + length)
    // The object is Protobuf instead of JSON, so only the type can be decoded this way.
    assert.throws(() => event.decode(frame), /not JSON/)
    assert.is(frame.subarray(2, 7).toString(), 'ADDED')
    const { kind } = unwrapEnvelope(frame.subarray(frame.indexOf('k8s\0')))
    assert.is(kind, 'ConfigMap')
    const metadata = `${mediaType};as=PartialObjectMetadata;g=${vendor.metaGroup};v=v1`
    const { bytes } = await call(server, 'GET', `${path}?watch=1&timeoutSeconds=1`, undefined, metadata)
    const shown = bytes.subarray(4, 4 + bytes.readUInt32BE(0))
    assert.is(unwrapEnvelope(shown.subarray(shown.indexOf('k8s\0'))).kind, 'PartialObjectMetadata')
  }),
)

protobuf('bytes that are not such an object are a 400', () =>
  withServer(async server => {
    const whole = body({ metadata: { name: 'x' } })
    const broken = [
      Buffer.from('k9s\0'),
      whole.subarray(0, 30),
      Buffer.from('{}'),
      wrapEnvelope({ apiVersion: 'v1', kind: 'Secret' }, Buffer.alloc(0)),
    ]
    for (const sent of broken) assert.is((await call(server, 'POST', path, sent)).status, 400, sent.toString('hex'))
    const unnamed = wrapEnvelope({ apiVersion: '', kind: '' }, unwrapEnvelope(whole).raw)
    assert.is((await call(server, 'POST', path, unnamed)).status, 201, 'the path names the type')
  }),
)

protobuf('discovery and metadata have a Protobuf form, a Table has none', () =>
  withServer(async server => {
    assert.is(unwrapEnvelope((await call(server, 'GET', '/api')).bytes).kind, 'APIVersions')
    assert.is(unwrapEnvelope((await call(server, 'GET', '/api/v1')).bytes).kind, 'APIResourceList')
    const metadata = `${mediaType};as=PartialObjectMetadataList;g=${vendor.metaGroup};v=v1`
    assert.is(
      unwrapEnvelope((await call(server, 'GET', path, undefined, metadata)).bytes).kind,
      'PartialObjectMetadataList',
    )
    assert.is(
      (await call(server, 'GET', path, undefined, `${mediaType};as=Table;g=${vendor.metaGroup};v=v1`)).status,
      406,
    )
  }),
)
protobuf.run()

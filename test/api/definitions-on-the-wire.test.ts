import { customResources } from 'orch/plugins/custom-resources'
import { namespaces } from 'orch/plugins/namespaces'
import { webhooks } from 'orch/plugins/webhooks'
import { startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'

/** Definitions in Protobuf, encoded by hand with the field numbers of the reference: see `protobuf-messages.txt`. */
const wire = suite('definitions in Protobuf')

const mediaType = 'application/vnd.kubernetes.protobuf'
type Part = string | boolean | number | Buffer
/** A field: a text, a message, or a number. */
function field(number: number, value: Part): Buffer {
  if (typeof value === 'boolean' || typeof value === 'number')
    return Buffer.concat([varint(number << 3), varint(Number(value))])
  const bytes = typeof value === 'string' ? Buffer.from(value) : value
  return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes])
}
function varint(value: number): Buffer {
  const bytes: number[] = []
  for (let left = value; ; left >>>= 7) {
    if (left < 128) return Buffer.from([...bytes, left])
    bytes.push((left & 127) | 128)
  }
}
const message = (...fields: Buffer[]) => Buffer.concat(fields)
const entry = (key: string, value: Buffer) => message(field(1, key), field(2, value))
const json = (value: unknown) => message(field(1, JSON.stringify(value)))

/** Fields of JSONSchemaProps. */
const schema = {
  type: (name: string) => field(5, name),
  default: (value: unknown) => field(8, json(value)),
  enum: (value: unknown) => field(20, json(value)),
  items: (items: Buffer) => field(24, message(field(1, items))),
  property: (name: string, of: Buffer) => field(29, entry(name, of)),
  additional: (of: Buffer) => field(30, message(field(1, true), field(2, of))),
}
const text = schema.type('string')
const openApi = message(
  schema.type('object'),
  schema.property(
    'spec',
    message(
      schema.type('object'),
      schema.property('words', message(schema.type('array'), schema.items(text))),
      schema.property('table', message(schema.type('object'), schema.additional(message(schema.type('integer'))))),
      schema.property(
        'nested',
        message(schema.type('array'), schema.items(message(schema.type('array'), schema.items(text)))),
      ),
      schema.property('colour', message(text, schema.default('red'), schema.enum('red'), schema.enum('blue'))),
    ),
  ),
)
const names = message(field(1, 'wires'), field(2, 'wire'), field(4, 'Wire'), field(5, 'WireList'))
const version = message(field(1, 'v1'), field(2, true), field(3, true), field(4, message(field(1, openApi))))
const spec = message(field(1, 'example.com'), field(3, names), field(4, 'Namespaced'), field(7, version))
const definition = message(field(1, message(field(1, 'wires.example.com'))), field(2, spec))
const envelope = Buffer.concat([
  Buffer.from('k8s\0'),
  field(1, message(field(1, 'apiextensions.k8s.io/v1'), field(2, 'CustomResourceDefinition'))),
  field(2, definition),
])

/** The bytes of all fields of this number in a message. */
function fieldsOf(bytes: Buffer, wanted: number): Buffer[] {
  const found: Buffer[] = []
  let at = 0
  const read = () => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]!
      value += (byte & 127) * 2 ** shift
      if (byte < 128) return value
    }
  }
  while (at < bytes.length) {
    const tag = read()
    const kind = tag & 7
    const start = at
    if (kind === 0) {
      const value = read()
      if (tag >>> 3 === wanted) found.push(Buffer.from([value]))
    } else {
      const length = kind === 1 ? 8 : read()
      if (tag >>> 3 === wanted) found.push(bytes.subarray(at, at + length))
      at += length
    }
    assert.ok(at > start && at <= bytes.length, 'a field ends after its message')
  }
  return found
}
function one(bytes: Buffer, ...path: number[]): Buffer {
  let inner = bytes
  for (const number of path) {
    const [found] = fieldsOf(inner, number)
    if (!found) throw new Error(`no field ${number}`)
    inner = found
  }
  return inner
}
function propertyOf(of: Buffer, name: string): Buffer {
  const found = fieldsOf(of, 29).find(each => one(each, 1).toString() === name)
  if (!found) throw new Error(`no property ${name}`)
  return one(found, 2)
}

wire('are decoded and encoded like the messages of the reference, also nested schemas', async () => {
  const server = await startServer({ plugins: [namespaces, webhooks, customResources], vendor: 'kubernetes' })
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  const headers = { authorization: `Bearer ${server.token}` }
  const ask = (where: string, init: RequestInit = {}) =>
    fetch(server.baseUrl + where, { ...init, headers: { ...headers, ...init.headers } })
  try {
    const made = await ask(path, {
      method: 'POST',
      headers: { 'content-type': mediaType, accept: 'application/json' },
      body: envelope,
    })
    assert.is(made.status, 201, await made.clone().text())
    const { spec: stored } = (await made.json()) as { spec: { versions: { schema: { openAPIV3Schema: unknown } }[] } }
    const words = { type: 'array', items: { type: 'string' } }
    assert.equal(stored.versions[0]?.schema.openAPIV3Schema, {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: {
            colour: { type: 'string', default: 'red', enum: ['red', 'blue'] },
            nested: { type: 'array', items: words },
            table: { type: 'object', additionalProperties: { type: 'integer' } },
            words,
          },
        },
      },
    })
    const served = `/apis/example.com/v1/namespaces/default/wires`
    await eventually('the type to be served', async () => (await ask(served)).status === 200)
    for (const shown of [
      await ask(`${path}/wires.example.com`, { headers: { accept: mediaType } }),
      await firstOf(ask(path, { headers: { accept: mediaType } })),
    ]) {
      const bytes = Buffer.from(await shown.arrayBuffer())
      const object = shown.headers.has('x-item') ? bytes : one(bytes.subarray(4), 2)
      const within = propertyOf(one(object, 2, 7, 4, 1), 'spec')
      assert.is(one(propertyOf(within, 'words'), 24, 1, 5).toString(), 'string')
      assert.is(one(propertyOf(within, 'nested'), 24, 1, 24, 1, 5).toString(), 'string')
      assert.equal([...one(propertyOf(within, 'table'), 30, 1)], [1])
      assert.is(one(propertyOf(within, 'table'), 30, 2, 5).toString(), 'integer')
      assert.is(one(propertyOf(within, 'colour'), 8, 1).toString(), '"red"')
    }
  } finally {
    await server.stop()
  }
})

/** The first item of a list, as a separate response. */
async function firstOf(answer: Promise<Response>): Promise<Response> {
  const bytes = Buffer.from(await (await answer).arrayBuffer())
  return new Response(one(one(bytes.subarray(4), 2), 2), { headers: { 'x-item': 'yes' } })
}

wire.run()

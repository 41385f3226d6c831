import {
  ApiError,
  Bool,
  Bytes,
  Double,
  embedded,
  field,
  Int32,
  Int64,
  IntOrString,
  Kind,
  kept,
  ListOf,
  MapOf,
  MicroTime,
  Quantity,
  Raw,
  required,
  StringMap,
  Struct,
  Text,
  Time,
  Unstructured,
} from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sameJson } from '../../libs/json/index.js'
import { compileDecoder } from './decode.js'
import { buildTypeModel, type StructNode } from './type-model.js'

const Port = Struct('core.v1.Port', {
  name: field(1, Text()),
  number: required(2, Int32()),
  target: field(3, IntOrString()),
})
const Spec = Struct('core.v1.GadgetSpec', {
  title: field(1, Text()),
  ports: field(2, ListOf(Port)),
  replicas: kept(3, Int32()),
  paused: field(4, Bool()),
  rules: required(5, ListOf(Text())),
  limits: field(6, MapOf(Quantity())),
  when: field(7, Time()),
  renewed: field(8, MicroTime()),
  bundle: field(9, Bytes()),
  anything: field(10, Raw()),
  loose: field(11, Unstructured()),
  port: kept(12, Port),
  owner: required(13, Port, { nullable: true }),
  seen: required(14, Time()),
  big: field(15, Int64()),
  ratio: field(16, Double()),
})
const Gadget = Kind('core.v1.Gadget', {
  data: field(2, StringMap()),
  binaryData: field(3, MapOf(Bytes())),
  immutable: kept(4, Bool()),
  spec: embedded(5, Spec),
})
const decode = compileDecoder(buildTypeModel(Gadget) as StructNode)
const emptyMeta = { creationTimestamp: null }
const emptySpec = { rules: null, owner: null, seen: null }

function refusal(run: () => unknown): ApiError {
  try {
    run()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}
const spec = (json: object) => decode({ spec: json })['spec'] as Record<string, unknown>

const decoding = suite('decoding')

decoding('an empty object has its embedded structs and required fields', () => {
  assert.equal(decode({}), { metadata: emptyMeta, spec: emptySpec })
  assert.equal(decode(null), { metadata: emptyMeta, spec: emptySpec })
})

decoding(
  'fields come in schema order, metadata first, without apiVersion and kind; the keys of maps are sorted',
  () => {
    const object = decode({
      immutable: false,
      data: { b: '2', a: '1' },
      kind: 'Gadget',
      metadata: { name: 'x' },
      apiVersion: 'v1',
    })
    assert.equal(Object.keys(object), ['metadata', 'data', 'immutable', 'spec'])
    assert.equal(Object.keys(object['data'] as object), ['a', 'b'])
  },
)

decoding('empty values are dropped, kept ones stay, nulls are always dropped', () => {
  assert.equal(spec({ title: '', ports: [], paused: false, replicas: 0, limits: {}, bundle: '', big: 0 }), {
    replicas: 0,
    ...emptySpec,
  })
  assert.equal(spec({ title: null, ports: null, replicas: null, port: null, when: null }), emptySpec)
  assert.equal(spec({ port: {} })['port'], { number: 0 })
})

decoding('a required list is null when unset but not when empty, a required number is zero', () => {
  assert.is(spec({ rules: null })['rules'], null)
  assert.equal(spec({ rules: [] })['rules'], [])
  assert.equal(spec({ ports: [{}] })['ports'], [{ number: 0 }])
})

decoding('a null item of a list or map becomes the zero value', () => {
  assert.equal(decode({ data: { k: null }, binaryData: { b: null } }), {
    metadata: emptyMeta,
    data: { k: '' },
    binaryData: { b: '' },
    spec: emptySpec,
  })
  assert.equal(spec({ ports: [null], rules: [null] }), { ports: [{ number: 0 }], ...emptySpec, rules: [''] })
})

decoding('quantities, times and bytes become canonical', () => {
  assert.equal(spec({ limits: { cpu: '1000m', memory: '1024Mi', disk: 1.5 } })['limits'], {
    cpu: '1',
    memory: '1Gi',
    disk: '1500m',
  })
  assert.is(spec({ when: '2024-05-01T12:00:00.987+02:00' })['when'], '2024-05-01T10:00:00Z')
  assert.is(spec({ renewed: '2024-05-01T12:00:00.987654+02:00' })['renewed'], '2024-05-01T10:00:00.987654Z')
  assert.is(spec({ bundle: 'QR==' })['bundle'], 'QQ==')
  assert.is(spec({ bundle: 'QUJD\nREVG\r\n' })['bundle'], 'QUJDREVG')
  assert.is(spec({ when: '0001-01-01T00:00:00Z' })['when'], undefined)
})

decoding('unknown fields are pruned and reported with their path', () => {
  const unknown: string[] = []
  const object = decode(
    {
      apiVersion: 'v1',
      bogus: 1,
      Data: {},
      metadata: { nonsense: true, ownerReferences: [{ x: 1 }] },
      spec: { ports: [{ number: 1 }, { number: 2, protocol: 'tcp' }], anything: { free: 1 }, loose: { also: 2 } },
    },
    { unknownField: path => unknown.push(path) },
  )
  assert.equal(unknown, [
    'bogus',
    'Data',
    'metadata.nonsense',
    'metadata.ownerReferences[0].x',
    'spec.ports[1].protocol',
  ])
  assert.equal((object['spec'] as Record<string, unknown>)['ports'], [{ number: 1 }, { number: 2 }])
  assert.equal((object['spec'] as Record<string, unknown>)['anything'], { free: 1 })
})

const mismatches: Record<string, unknown> = {
  'an array for an object': [],
  'a string for an object': 'x',
  'a number for a string': { metadata: { name: 5 } },
  'a string for a struct': { metadata: 'x' },
  'a list for a map': { data: [] },
  'a number in a string map': { data: { k: 1 } },
  'a map for a list': { spec: { ports: {} } },
  'text that is not base64': { binaryData: { k: '%%' } },
  'base64 without padding': { binaryData: { k: 'QQ' } },
  'a string for a number': { spec: { replicas: '1' } },
  'a fraction for an integer': { spec: { replicas: 1.5 } },
  'an integer out of range': { spec: { replicas: 2147483648 } },
  'an integer that JSON cannot carry exactly': { spec: { big: 2 ** 60 } },
  'a string for a bool': { spec: { paused: 'true' } },
  'a date for a time': { spec: { when: '2024-05-01' } },
  'an impossible day': { spec: { when: '2023-02-29T00:00:00Z' } },
  'an impossible hour': { spec: { when: '2023-02-28T24:00:00Z' } },
  'a time without microseconds': { spec: { renewed: '2024-05-01T12:00:00Z' } },
  'an empty time': { spec: { when: '' } },
  'a bad quantity': { spec: { limits: { cpu: '1GiB' } } },
  'an object for a quantity': { spec: { limits: { cpu: {} } } },
  'a bool for a port': { spec: { ports: [{ target: true }] } },
  'a list for an unstructured object': { spec: { loose: [] } },
  'a number for the kind': { kind: 1 },
}
for (const [title, json] of Object.entries(mismatches)) {
  decoding(`rejects ${title} with 400`, () => {
    const error = refusal(() => decode(json))
    assert.is(error.code, 400)
    assert.is(error.reason, 'BadRequest')
  })
}
decoding('an error names the field', () => {
  assert.is(
    refusal(() => decode({ spec: { ports: [{}, { number: 'x' }] } })).message,
    'json: cannot unmarshal string into Go struct field Gadget.spec.ports[1].number of type int32',
  )
  assert.match(refusal(() => decode([])).message, 'cannot unmarshal array into Go value of type v1.Gadget')
})

decoding('the key __proto__ is data in a map and unknown in a struct', () => {
  const json = JSON.parse(
    '{"data":{"__proto__":"v"},"__proto__":{"polluted":true},"spec":{"anything":{"__proto__":1}}}',
  )
  const unknown: string[] = []
  const object = decode(json, { unknownField: path => unknown.push(path) })
  assert.equal(unknown, ['__proto__'])
  assert.is(JSON.stringify(object['data']), '{"__proto__":"v"}')
  assert.is(Object.getPrototypeOf(object), Object.prototype)
  assert.is(({} as Record<string, unknown>)['polluted'], undefined)
})

decoding('inherited properties are not fields', () => {
  const Odd = Struct('x.v1.Odd', { toString: field(1, Text()), constructor: field(2, Text()) })
  assert.equal({ ...compileDecoder(buildTypeModel(Odd) as StructNode)({}) }, {})
})

decoding('accepts schemaless values that nest as deep as a body may, and rejects deeper ones', () => {
  const deep = (levels: number) => JSON.parse(`${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`)
  const taken = decode({ spec: { anything: deep(9000), loose: { deep: deep(9000) } } })
  assert.ok(
    sameJson(taken['spec'], { ...(taken['spec'] as object), anything: deep(9000), loose: { deep: deep(9000) } }),
  )
  assert.is(refusal(() => decode({ spec: { anything: deep(10_002) } })).code, 400)
  assert.is(refusal(() => decode({ spec: { loose: { deep: deep(10_002) } } })).code, 400)
  assert.is.not(decode({ bogus: deep(10_002) }), undefined)
})

decoding('decoding a decoded object changes nothing', () => {
  const object = decode({
    data: { a: '' },
    spec: { limits: { a: '1.5' }, when: '2024-05-01T12:00:00+02:00', port: { target: 0 } },
  })
  assert.equal(decode(object), object)
})

decoding('a nullable field keeps an empty value', () => {
  const Reference = Kind('core.v1.Reference', { apiGroup: embedded(2, Text(), { nullable: true }) })
  const decodeReference = compileDecoder(buildTypeModel(Reference) as StructNode)
  assert.is(decodeReference({ apiGroup: '' })['apiGroup'], '')
  assert.is(decodeReference({})['apiGroup'], null)
})

decoding('an object has a bounded number of items in total in its lists and maps', () => {
  const labels = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v']))
  assert.ok(decode({ metadata: { labels: labels(10) } }, { maxItems: 10 }))
  const tooMany = { metadata: { labels: labels(10), annotations: labels(1) } }
  assert.throws(
    () => decode(tooMany, { maxItems: 10 }),
    (error: ApiError) => error.code === 413 && /at most 10 items/.test(error.message),
  )
  assert.ok(decode(tooMany), 'an object that was counted when it was read is not counted again')
})

decoding.run()

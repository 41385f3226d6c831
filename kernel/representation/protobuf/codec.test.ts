import fc from 'fast-check'
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
  inlined,
  Kind,
  kept,
  ListOf,
  MapOf,
  MicroTime,
  Quantity,
  Raw,
  required,
  ServedLevel,
  StringMap,
  Struct,
  Text,
  Time,
  Unstructured,
} from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compileDecoder } from '../../schema/decode.js'
import { metaType } from '../../schema/meta-types.js'
import { randomObject, seededRandom } from '../../schema/random-object.js'
import { buildTypeModel, type StructNode } from '../../schema/type-model.js'
import { compileProtobuf, hasProtobuf } from './codec.js'
import { Transcoder } from './transcode.js'

const level = new ServedLevel('1.23')
const Source = Struct('core.v1.Source', { path: field(1, Text()), readOnly: kept(2, Bool()) })
const Item = Struct('core.v1.Item', { name: required(1, Text()), ...inlined(2, Source) })
const model = buildTypeModel(
  Kind('core.v1.Gadget', {
    text: field(2, Text()),
    flag: field(3, Bool()),
    small: field(4, Int32()),
    big: field(5, Int64()),
    ratio: field(6, Double()),
    blob: field(7, Bytes()),
    limits: field(8, MapOf(Quantity())),
    port: kept(9, IntOrString()),
    anything: kept(10, Raw()),
    loose: kept(11, Unstructured()),
    renewed: kept(12, MicroTime()),
    items: field(13, ListOf(Item)),
    extra: field(14, MapOf(ListOf(Text()))),
    numbers: field(15, ListOf(Int64())),
    blobs: field(16, MapOf(Bytes())),
    data: field(17, StringMap()),
    inner: embedded(18, Source),
    optional: kept(300, Int32()),
    when: required(301, Time()),
    binding: required(302, Source, { nullable: true }),
  }),
) as StructNode
const codec = compileProtobuf(model)
const normalise = compileDecoder(model)
const hex = (type: StructNode, object: object) => Buffer.from(compileProtobuf(type).encode(object)).toString('hex')
/** JSON with sorted keys: map order is not preserved, and keys such as `constructor` confuse deep comparisons. */
const sorted = (value: unknown) =>
  JSON.stringify(value, (_, inner) =>
    inner && typeof inner === 'object' && !Array.isArray(inner) ? Object.entries(inner as object).sort() : inner,
  )
const structOf = (fields: Parameters<typeof Struct>[1]) => buildTypeModel(Struct('x.v1.X', fields)) as StructNode

const protobuf = suite('protobuf codec')

protobuf('transcoding JSON text gives the same bytes as encoding its object', () => {
  fc.assert(
    fc.property(fc.integer(), seed => {
      const object = normalise(randomObject(model, seededRandom(seed)))
      const text = Buffer.from(JSON.stringify(object))
      assert.is(
        Buffer.from(codec.transcode(text)).toString('hex'),
        Buffer.from(codec.encode(JSON.parse(String(text)))).toString('hex'),
      )
    }),
    { numRuns: 1000 },
  )
})

const plainTexts: Record<string, string> = {
  'keys out of order and unknown fields':
    '{"when":"2026-01-02T03:04:05Z","text":"x","unknown":{"a":[1,{}]},"data":{"b":"2","a":"1","aa":""}}',
  'escapes in texts, short and long': `{"text":"a\\"b","data":{"k":"${'x'.repeat(100)}\\\\","l":"${'y'.repeat(60)}"},"anything":{"a":"\\u0000"}}`,
  'characters beyond ASCII': '{"text":"é😀","data":{"k":"ß"}}',
  'null for what is not set': '{"text":null,"items":null,"inner":null,"when":null}',
  'numbers of every kind':
    '{"small":-1,"big":9007199254740991,"ratio":-1.5e-7,"numbers":[0,-3,12],"port":8080,"optional":0}',
}
const parsedTexts: Record<string, string> = {
  'white space': '{ "text": "x" }',
  'keys beyond ASCII and with escapes': '{"data":{"é":"1","\\n":"2"}}',
  'many keys out of order': `{"data":{${Array.from({ length: 40 }, (_, index) => `"${99 - index}":""`)}}}`,
}
for (const [what, text] of Object.entries({ ...plainTexts, ...parsedTexts })) {
  protobuf(`transcodes ${what}`, () => {
    const bytes = Buffer.from(text)
    assert.is(
      Buffer.from(codec.transcode(bytes)).toString('hex'),
      Buffer.from(codec.encode(JSON.parse(text))).toString('hex'),
    )
    const transcoder = new Transcoder(model)
    transcoder.begin(bytes)
    assert.is(transcoder.append(0, bytes.length), what in plainTexts)
  })
}

protobuf('random objects survive the round trip', () => {
  fc.assert(
    fc.property(fc.integer(), seed => {
      const object = normalise(randomObject(model, seededRandom(seed)))
      assert.is(sorted(normalise(codec.decode(codec.encode(object)))), sorted(object))
    }),
    { numRuns: 300 },
  )
})

protobuf('plain scalars are written even when empty, optional ones only when set', () => {
  const type = structOf({ a: field(1, Text()), b: kept(2, Text()), c: field(3, Int32()), d: kept(4, Bool()) })
  assert.is(hex(type, {}), '0a001800')
  assert.is(hex(type, { b: '', d: false }), '0a00120018002000')
})
protobuf('fields are written in the order of their numbers', () => {
  assert.is(hex(structOf({ z: field(2, Text()), a: field(1, Text()) }), { z: 'z', a: 'a' }), '0a016112017a')
})
protobuf('maps are sorted by key, entries hold key and value even when empty', () => {
  assert.is(
    hex(structOf({ m: field(1, StringMap()) }), { m: { b: '', a: 'x' } }),
    '0a060a0161120178' + '0a050a01621200',
  )
})
protobuf('embedded structs are always written, optional ones when present', () => {
  assert.is(hex(structOf({ a: embedded(1, Struct('s', {})), b: kept(2, Struct('s', {})) }), {}), '0a00')
  assert.is(hex(structOf({ a: embedded(1, Struct('s', {})), b: kept(2, Struct('s', {})) }), { b: {} }), '0a001200')
})
protobuf('times have seconds and no nanos, an unset one is an empty message', () => {
  const type = structOf({ t: required(1, Time()) })
  assert.is(hex(type, { t: '1970-01-01T00:00:01Z' }), '0a0408011000')
  assert.is(hex(type, { t: null }), '0a00')
  assert.equal(compileProtobuf(type).decode(Buffer.from('0a00', 'hex')), { t: null })
})
protobuf('a negative number takes ten bytes', () => {
  assert.is(hex(structOf({ n: field(1, Int32()) }), { n: -1 }), '08ffffffffffffffffff01')
})
protobuf('lists of numbers are read packed and unpacked', () => {
  const type = compileProtobuf(structOf({ n: field(1, ListOf(Int64())) }))
  assert.equal(type.decode(Buffer.from('08010802', 'hex')), { n: [1, 2] })
  assert.equal(type.decode(Buffer.from('0a020102', 'hex')), { n: [1, 2] })
})
protobuf('fields that JSON inlines are nested on the wire', () => {
  const type = buildTypeModel(Item) as StructNode
  assert.is(hex(type, { name: 'n', path: 'p', readOnly: true }), '0a016e12050a01701001')
})
protobuf('unknown fields are skipped', () => {
  assert.equal(compileProtobuf(structOf({ a: field(1, Text()) })).decode(Buffer.from('0a01612a03626262', 'hex')), {
    a: 'a',
  })
})
protobuf('a map key __proto__ is data', () => {
  const type = compileProtobuf(structOf({ m: field(1, StringMap()) }))
  const object = JSON.parse('{"m":{"__proto__":"x"}}') as object
  assert.is(JSON.stringify(type.decode(type.encode(object))), '{"m":{"__proto__":"x"}}')
})

protobuf('truncated or scrambled bytes are a bad request, never another error', () => {
  fc.assert(
    fc.property(fc.integer(), fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(255), (seed, place, value) => {
      const bytes = Buffer.from(codec.encode(normalise(randomObject(model, seededRandom(seed)))))
      const at = Math.floor(place * (bytes.length - 1))
      for (const broken of [bytes.subarray(0, at), Buffer.from(bytes).fill(value, at, at + 1)]) {
        try {
          codec.decode(broken)
        } catch (error) {
          assert.ok(error instanceof ApiError && error.code === 400, String(error))
        }
      }
    }),
  )
})
protobuf('a truncated message is rejected', () => {
  const bytes = codec.encode({ metadata: { name: 'long enough' } })
  assert.throws(() => codec.decode(bytes.subarray(0, 6)), /unable to decode/)
})

protobuf('a message with more items than an object may have is rejected before they are all read', () => {
  const listed = structOf({
    items: field(1, ListOf(Struct('s', { b: field(1, Text()) }))),
    numbers: field(2, ListOf(Int32())),
  })
  const list = compileProtobuf(listed)
  const [item, packed] = [Buffer.from('0a00', 'hex'), Buffer.from('0101', 'hex')]
  assert.is((list.decode(Buffer.alloc(400_000, item))['items'] as unknown[]).length, 200_000)
  // Truncated at its end: reading that far would fail.
  const tooMany = [
    Buffer.concat([Buffer.alloc(400_002, item), Buffer.of(0x0a, 5)]),
    Buffer.concat([Buffer.from('1282b518', 'hex'), Buffer.alloc(400_002, packed), Buffer.of(0x0a, 5)]),
  ]
  for (const bytes of tooMany)
    assert.throws(
      () => list.decode(bytes),
      (error: ApiError) => error.code === 413,
    )
  assert.throws(
    () => list.decode(Buffer.alloc(20, item), 9),
    (error: ApiError) => error.code === 413,
  )
})

protobuf('a type with a field without number has no Protobuf form', () => {
  assert.is(hasProtobuf(model), true)
  assert.is(hasProtobuf(structOf({ a: field(1, ListOf(Struct('s', { b: Text() }))) })), false)
})
protobuf('a Status has the form that clients expect', () => {
  const status = {
    status: 'Failure',
    message: 'no',
    reason: 'NotFound',
    details: { name: 'none', kind: 'configmaps' },
    code: 404,
  }
  const type = metaType('Status', level)
  const decoded = compileDecoder(type)(compileProtobuf(type).decode(compileProtobuf(type).encode(status)))
  assert.equal(decoded, { metadata: {}, ...status })
})
protobuf('verbs of a discovered resource are nested on the wire', () => {
  assert.is(
    hex(metaType('APIResource', level), {
      name: 'x',
      singularName: '',
      namespaced: false,
      kind: 'X',
      verbs: ['get'],
    }).includes('2205' + '0a03676574'),
    true,
  )
})
protobuf.run()

import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compileProtobuf, hasProtobuf } from '../../kernel/representation/protobuf/codec.js'
import { withoutEmptyLists } from '../../kernel/representation/protobuf/empty-lists.js'
import { compileDecoder } from '../../kernel/schema/decode.js'
import { compileNormalize } from '../../kernel/schema/normalize.js'
import { randomObject, seededRandom } from '../../kernel/schema/random-object.js'
import { builtInTypes } from './built-in-types.js'

const samples = 40
const everyType = suite('every built-in type')

/** JSON with sorted keys: the order of map keys does not survive the wire, and need not. */
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner && typeof inner === 'object' && !Array.isArray(inner) ? Object.entries(inner).sort() : inner,
  )

everyType('has a number for each of its fields', async () => {
  const types = await builtInTypes()
  assert.ok(types.size > 30, `found only ${types.size} types`)
  assert.equal(
    [...types].filter(([, type]) => !hasProtobuf(type)).map(([name]) => name),
    [],
  )
})

everyType('decodes idempotently', async () => {
  for (const [name, type] of await builtInTypes()) {
    const decode = compileDecoder(type)
    for (let seed = 0; seed < samples; seed++) {
      const object = decode(randomObject(type, seededRandom(seed)))
      assert.is(sorted(decode(object)), sorted(object), `${name}, seed ${seed}`)
    }
  }
})

everyType('normalizes idempotently', async () => {
  for (const [name, type] of await builtInTypes()) {
    const decode = compileDecoder(type)
    const normalize = compileNormalize(type)
    for (let seed = 0; seed < samples; seed++) {
      const object = decode(randomObject(type, seededRandom(seed)))
      normalize(object)
      const settled = sorted(object)
      normalize(object)
      assert.is(sorted(object), settled, `${name}, seed ${seed}`)
      assert.is(sorted(decode(object)), settled, `${name}, seed ${seed}, decoded`)
    }
  }
})

everyType('round-trips through Protobuf', async () => {
  for (const [name, type] of await builtInTypes()) {
    const decode = compileDecoder(type)
    const codec = compileProtobuf(type)
    const normalize = compileNormalize(type)
    for (let seed = 0; seed < samples; seed++) {
      const object = decode(randomObject(type, seededRandom(seed)))
      normalize(object)
      const decoded = sorted(decode(codec.decode(codec.encode(object))))
      assert.is(decoded, sorted(withoutEmptyLists(object, type)), `${name}, seed ${seed}`)
    }
  }
})

everyType('is transcoded from JSON to the same bytes as its encoding', async () => {
  for (const [name, type] of await builtInTypes()) {
    const decode = compileDecoder(type)
    const codec = compileProtobuf(type)
    for (let seed = 0; seed < samples; seed++) {
      const text = JSON.stringify(decode(randomObject(type, seededRandom(seed))))
      const encoded = codec.encode(JSON.parse(text) as object)
      assert.ok(codec.transcode(Buffer.from(text)).equals(encoded), `${name}, seed ${seed}`)
    }
  }
})
everyType.run()

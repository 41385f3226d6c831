import { kubernetesProfile, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readSchema } from '../../../libs/json-schema/index.js'
import { customResourceNames } from '../names.js'
import { StructuralSchema } from './structural-schema.js'

const { keywords } = customResourceNames(new Vendor(kubernetesProfile))
const compiled = (properties: Record<string, unknown>, root: Record<string, unknown> = {}) =>
  new StructuralSchema(readSchema({ type: 'object', properties, ...root }, keywords), keywords, {
    typedReasons: false,
    numberFormats: false,
    nameFormats: true,
  })
const told = (schema: StructuralSchema, object: unknown) =>
  schema.validate(object).map(({ type, field }) => `${type.replace('FieldValue', '')} ${field}`)

const pruning = suite('pruning by a structural schema')

pruning('drops unknown fields at every depth, reports their paths and does not modify the input', () => {
  const schema = compiled({
    spec: { type: 'object', properties: { list: { type: 'array', items: { type: 'object', properties: { a: {} } } } } },
  })
  const sent = { spec: { list: [{ a: 1, b: 2 }], other: true }, top: 1 }
  const unknown: string[] = []
  assert.equal(schema.prune(sent, { leftOut: path => unknown.push(path) }), { spec: { list: [{ a: 1 }] } })
  assert.equal(unknown.sort(), ['spec.list[0].b', 'spec.other', 'top'])
  assert.equal(sent.top, 1)
})

pruning('preserves unknown fields if the schema says so, but prunes known objects within', () => {
  const schema = compiled({
    open: {
      type: 'object',
      [keywords.preserveUnknownFields]: true,
      properties: { known: { type: 'object', properties: { a: { type: 'string' } } } },
    },
    map: { type: 'object', additionalProperties: true },
  })
  assert.equal(schema.prune({ open: { free: { x: 1 }, known: { a: 'a', b: 1 } }, map: { k: { gone: 1 }, n: 2 } }), {
    open: { free: { x: 1 }, known: { a: 'a' } },
    map: { k: {}, n: 2 },
  })
})

pruning('preserves unknown fields of the items of a list that does so, but prunes their known fields', () => {
  const items = { type: 'object', properties: { known: { type: 'object', properties: { a: { type: 'string' } } } } }
  const list = { type: 'array', items, [keywords.preserveUnknownFields]: true }
  const schema = compiled({ list, lists: { ...list, items: { type: 'array', items } } })
  const item = { free: { x: 1 }, known: { a: 'a', b: 1 } }
  const pruned = { free: { x: 1 }, known: { a: 'a' } }
  assert.equal(schema.prune({ list: [item], lists: [[item]] }), { list: [pruned], lists: [[pruned]] })
})

pruning('treats a field named __proto__ as a field', () => {
  const schema = compiled({ m: { type: 'object', additionalProperties: { type: 'integer' } } })
  const copy = schema.prune(JSON.parse('{"m":{"__proto__":1}}')) as { m: object }
  assert.ok(Object.hasOwn(copy.m, '__proto__'))
  assert.is(Object.getPrototypeOf(copy.m), Object.prototype)
})

pruning.run()

const defaulting = suite('defaulting by a structural schema')

defaulting('fills fields of objects, items and entries, and treats a null that is not allowed as unset', () => {
  const schema = compiled({
    a: { type: 'string', default: 'A' },
    b: { type: 'string', nullable: true, default: 'B' },
    c: { type: 'string' },
    list: { type: 'array', items: { type: 'object', properties: { k: { type: 'string', default: 'K' } } } },
    map: { type: 'object', additionalProperties: { type: 'integer', default: 7 } },
  })
  const object = { a: null, b: null, c: null, list: [{}, { k: 'z' }], map: { x: null, y: 1 } }
  schema.fillDefaults(object)
  assert.equal(object as unknown, { a: 'A', b: null, list: [{ k: 'K' }, { k: 'z' }], map: { x: 7, y: 1 } })
})

defaulting('gives every object its own copy of the default', () => {
  const schema = compiled({ o: { type: 'object', default: { list: [] } } })
  const [one, other]: { o?: { list: unknown[] } }[] = [{}, {}]
  schema.fillDefaults(one)
  schema.fillDefaults(other)
  one!.o!.list.push(1)
  assert.equal(other!.o!.list, [])
})

defaulting.run()

const validating = suite('validation by a structural schema')

validating('names the field of every wrong type, limit, format and missing field', () => {
  const schema = compiled(
    {
      s: { type: 'string', maxLength: 2, pattern: '^a' },
      i: { type: 'integer', minimum: 1, multipleOf: 2 },
      p: { [keywords.intOrString]: true },
      e: { type: 'string', enum: ['x'] },
      t: { type: 'string', format: 'date-time' },
      l: { type: 'array', maxItems: 1, items: { type: 'string' } },
      m: { type: 'object', additionalProperties: { type: 'integer' } },
    },
    { required: ['needed'] },
  )
  assert.equal(
    told(schema, { needed: 1, s: 'a', i: 2, p: '5%', e: 'x', t: '2020-01-01T00:00:00Z', l: [], m: { k: 1 } }),
    [],
  )
  const wrong = { s: 'bcd', i: 1.5, p: true, e: 'y', t: 'soon', l: [1, 'a'], m: { k: 'x' } }
  assert.equal(told(schema, wrong).sort(), [
    'Invalid i',
    'Invalid i',
    'Invalid l',
    'Invalid l',
    'Invalid m.k',
    'Invalid p',
    'Invalid s',
    'Invalid t',
    'NotSupported e',
    'Required needed',
  ])
})

validating('counts code points rather than UTF-16 units, and accepts 0.3 as a multiple of 0.1', () => {
  const schema = compiled({ s: { type: 'string', maxLength: 1 }, n: { type: 'number', multipleOf: 0.1 } })
  assert.equal(told(schema, { s: '🦆', n: 0.3 }), [])
  assert.equal(told(schema, { s: 'ab', n: 0.35 }), ['Invalid s', 'Invalid n'])
})

validating('reports the first failed branch in addition to the error that none matches', () => {
  const schema = compiled({
    any: { type: 'integer', anyOf: [{ maximum: 1 }, { minimum: 10 }] },
    one: { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    not: { type: 'string', not: { enum: ['bad'] } },
  })
  assert.equal(told(schema, { any: 0, one: { a: 1 }, not: 'good' }), [])
  assert.equal(told(schema, { any: 5 }), ['Invalid <nil>', 'Invalid any'])
  assert.equal(told(schema, { one: { a: 1, b: 2 } }), ['Invalid <nil>'])
  assert.equal(told(schema, { not: 'bad' }), ['Invalid <nil>'])
})

validating('finds the second of equal items in sets and map lists', () => {
  const schema = compiled({
    set: { type: 'array', items: { type: 'string' }, [keywords.listType]: 'set' },
    map: {
      type: 'array',
      items: { type: 'object', properties: { k: { type: 'string' } } },
      [keywords.listType]: 'map',
      [keywords.listMapKeys]: ['k'],
    },
  })
  assert.equal(told(schema, { set: ['a', 'b', 'a', 'a'], map: [{ k: 'x' }, { k: 'y' }, { k: 'x' }] }), [
    'Duplicate set[2]',
    'Duplicate map[2]',
  ])
  assert.equal(told(schema, { map: [null, true, 1] }), ['Invalid map', 'Invalid map', 'Invalid map', 'Invalid map[1]'])
})

validating('takes microseconds for an object of one kilobyte, and is not slowed down by a malicious pattern', () => {
  const fields = Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => [`field${i}`, { type: 'string', maxLength: 100, default: 'x'.repeat(40) }]),
  )
  const schema = compiled({ spec: { type: 'object', properties: fields, default: {} } })
  const round = () => {
    const object = schema.prune({ spec: { field0: 'y', gone: 1 } })
    schema.fillDefaults(object)
    return schema.validate(object).length
  }
  for (let i = 0; i < 2000; i++) round()
  const startedAt = performance.now()
  for (let i = 0; i < 2000; i++) assert.is(round(), 0)
  // Tens of microseconds on an idle machine; the limit leaves room for a busy one.
  assert.ok((performance.now() - startedAt) / 2000 < 0.5)

  const evil = compiled({ s: { type: 'string', pattern: '^(a+)+$' } })
  const evilAt = performance.now()
  assert.equal(told(evil, { s: `${'a'.repeat(50_000)}b` }), ['Invalid s'])
  assert.ok(performance.now() - evilAt < 2000)
})

validating('reports the first error of the length and the pattern of a text', () => {
  const schema = compiled({ s: { type: 'string', minLength: 2, pattern: '^[a-z]+$', format: 'date' } })
  assert.equal(told(schema, { s: 'A' }), ['Invalid s', 'Invalid s'])
  assert.equal(told(schema, { s: 'AA' }), ['Invalid s', 'Invalid s'])
})

validating.run()

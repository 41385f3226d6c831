import { AtomicList, field, Int32, MapOf, StringMap, Struct, Text } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { mergeRepeatedKeys } from './merge-repeated-keys.js'
import { buildTypeModel, type StructNode } from './type-model.js'

const Part = Struct('test.v1.Part', { a: field(1, Text()), b: field(2, Int32()) })
const model = buildTypeModel(
  Struct('test.v1.Whole', {
    part: field(1, Part),
    map: field(2, StringMap()),
    parts: field(3, MapOf(Part)),
    list: field(4, AtomicList(Part)),
  }),
) as StructNode

const merging = suite('repeated keys')

const cases: Record<string, { text: string; value: unknown }> = {
  'are merged into a struct': { text: '{"part":{"a":"x","b":1},"part":{"b":2}}', value: { part: { a: 'x', b: 2 } } },
  'are merged into a map': {
    text: '{"map":{"k":"1","k":"3"},"map":{"l":"9"},"part":{}}',
    value: { map: { k: '3', l: '9' }, part: {} },
  },
  'replace an entry of a map': { text: '{"parts":{"p":{"a":"x"},"p":{"b":1}}}', value: { parts: { p: { b: 1 } } } },
  'replace a list': { text: '{"list":[{"a":"x"}], "list" : [{"b":1,"b":2}]}', value: { list: [{ b: 2 }] } },
  'are null if the last one is null': { text: '{"part":{"a":"x"},"part":null}', value: { part: null } },
  'start from empty after null': {
    text: '{"part":{"a":"x"},"part":null,"part":{"b":-1.5e3}}',
    value: { part: { b: -1500 } },
  },
  'replace a value without a type': {
    text: '{"x":{"a":1},"x":{"b":[true,"\\"\\\\"]}}',
    value: { x: { b: [true, '"\\'] } },
  },
}
for (const [title, { text, value }] of Object.entries(cases))
  merging(title, () => assert.equal(mergeRepeatedKeys(text, model), value))

merging('cannot change a prototype', () => {
  const read = mergeRepeatedKeys('{"map":{"__proto__":"a"},"map":{"constructor":"b"}}', model) as { map: object }
  assert.is(Object.getPrototypeOf(read.map), Object.prototype)
  assert.equal(Object.keys(read.map), ['__proto__', 'constructor'])
})
merging('may be as deep as a text can be', () => {
  const depth = 100_000
  const text = `{"x":1,"x":${'['.repeat(depth)}${']'.repeat(depth)}}`
  assert.ok(Array.isArray((mergeRepeatedKeys(text, model) as { x: unknown }).x))
})

merging.run()

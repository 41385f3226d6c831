import {
  Bool,
  embedded,
  field,
  Int32,
  Kind,
  kept,
  ListOf,
  MapOf,
  required,
  StringMap,
  Struct,
  Text,
  Time,
  Unstructured,
} from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compileNormalize } from './normalize.js'
import { compileView } from './normalized-view.js'
import { buildTypeModel, type StructNode } from './type-model.js'

const Port = Struct('toys.v1.Port', { number: required(1, Int32()), name: field(2, Text()) })
const model = buildTypeModel(
  Kind('toys.v1.Toy', {
    rules: required(2, ListOf(Text())),
    data: field(3, StringMap()),
    ports: field(4, ListOf(Port)),
    byName: field(5, MapOf(Port)),
    enabled: kept(6, Bool()),
    main: embedded(7, Port),
    seen: required(8, Time()),
    owner: required(9, Port, { nullable: true }),
    any: field(10, Unstructured()),
  }),
) as StructNode
const normalize = compileNormalize(model)
const view = compileView(model)
/** The normalized object, which equals a view of the object before. */
const normalized = (object: Record<string, unknown>) => {
  const shown = JSON.parse(JSON.stringify(view(object)))
  normalize(object)
  assert.equal(shown, object)
  return object
}
const least = { metadata: { creationTimestamp: null }, rules: null, main: { number: 0 }, seen: null, owner: null }

const normalizing = suite('normalizing')

normalizing('fills fields that are always written', () => {
  assert.equal(normalized({}), least)
})
normalizing('stores an empty required list as null', () => {
  assert.equal(normalized({ rules: [] }), least)
  assert.equal(normalized({ rules: ['x'] }), { ...least, rules: ['x'] })
})
normalizing('drops empty values and keeps those whose presence has a meaning', () => {
  const object = { metadata: { labels: {}, finalizers: [] }, data: {}, ports: [], enabled: false }
  assert.equal(normalized(object), { ...least, enabled: false })
})
normalizing('covers items of lists and maps', () => {
  assert.equal(normalized({ ports: [{ name: '' }], byName: { a: {} } }), {
    ...least,
    ports: [{ number: 0 }],
    byName: { a: { number: 0 } },
  })
})
normalizing('sorts the keys of every map, and keeps the order of fields', () => {
  const object = JSON.parse(
    '{"data":{"b":"1","a.b":"2","a":"3","__proto__":"4"},"ports":[{"number":1,"name":"x"}],"byName":{"z":{"number":1},"y":{"number":2}},"any":{"b":[{"d":1,"c":2}],"a":{}},"metadata":{"labels":{"y":"1","x":"2"}}}',
  )
  normalize(object)
  assert.equal(Object.keys(object.data), ['__proto__', 'a', 'a.b', 'b'])
  assert.equal(Object.keys(object.byName), ['y', 'z'])
  assert.equal(Object.keys(object.metadata.labels), ['x', 'y'])
  assert.equal(Object.keys(object.ports[0]), ['number', 'name'])
  assert.is(JSON.stringify(object.any), '{"a":{},"b":[{"c":2,"d":1}]}')
})
normalizing('by a view does not change the object, which cannot be written through the view', () => {
  const object = Object.freeze({ ports: [Object.freeze({ name: '', number: 1 })], kind: 'A' })
  const shown = view(object, { kind: 'B' }) as Record<string, unknown>
  assert.equal(
    [shown['kind'], 'ports' in shown, 'none' in shown, Object.hasOwn(shown, 'rules')],
    ['B', true, false, true],
  )
  assert.equal(Object.keys((shown['ports'] as object[])[0]!), ['number'])
  assert.is(shown['constructor'], undefined)
  const ports = shown['ports'] as Record<string, unknown>[]
  assert.equal([Array.isArray(ports), ports.length, ports.map(port => port['number'])], [true, 1, [1]])
  assert.equal([ports[1], ports.at(-1)!['name'], '0' in ports, '1' in ports], [undefined, undefined, true, false])
  assert.equal(Object.keys(ports), ['0'])
  assert.throws(() => ports.push({}), TypeError)
  assert.throws(() => Object.assign(shown, { kind: 'C' }), TypeError)
  assert.equal(object, { ports: [{ name: '', number: 1 }], kind: 'A' })
})
normalizing.run()

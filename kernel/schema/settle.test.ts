import {
  embedded,
  Flag,
  field,
  Int32,
  Kind,
  kept,
  ListOf,
  MapOf,
  needed,
  StringMap,
  Struct,
  Text,
  Time,
} from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compileSettle } from './settle.js'
import { buildTypeModel, type StructNode } from './type-model.js'

const Port = Struct('toys.v1.Port', { number: needed(1, Int32()), name: field(2, Text()) })
const settle = compileSettle(
  buildTypeModel(
    Kind('toys.v1.Toy', {
      rules: needed(2, ListOf(Text())),
      data: field(3, StringMap()),
      ports: field(4, ListOf(Port)),
      byName: field(5, MapOf(Port)),
      enabled: kept(6, Flag()),
      main: embedded(7, Port),
      seen: needed(8, Time()),
      owner: needed(9, Port, { nullable: true }),
    }),
  ) as StructNode,
)
const settled = (object: Record<string, unknown>) => {
  settle(object)
  return object
}
const least = { metadata: { creationTimestamp: null }, rules: null, main: { number: 0 }, seen: null, owner: null }

const settling = suite('settling')

settling('fills what is always written', () => {
  assert.equal(settled({}), least)
})
settling('stores an empty required list as null', () => {
  assert.equal(settled({ rules: [] }), least)
  assert.equal(settled({ rules: ['x'] }), { ...least, rules: ['x'] })
})
settling('drops what says nothing and keeps what presence gives a meaning', () => {
  const object = { metadata: { labels: {}, finalizers: [] }, data: {}, ports: [], enabled: false }
  assert.equal(settled(object), { ...least, enabled: false })
})
settling('reaches into lists and maps', () => {
  assert.equal(settled({ ports: [{ name: '' }], byName: { a: {} } }), {
    ...least,
    ports: [{ number: 0 }],
    byName: { a: { number: 0 } },
  })
})
settling.run()

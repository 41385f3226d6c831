import { field, Kind, ListOf, StringMap, Struct, Text, type TSchema } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { modelOf } from '../apply-fixtures.js'
import { fromFieldsV1 } from './field-set.js'
import { reconcileWithSchema } from './reconcile.js'

const reconciling = suite('sets written under an older schema')

const Item = Struct('test.v1.Item', { name: field(1, Text()), value: field(2, Text()) })
const withField = (schema: TSchema) => modelOf(Kind('test.v1.Changed', { x: field(2, schema) }))
const items = { 'f:x': { 'k:{"name":"a"}': { '.': {}, 'f:name': {} } } }

reconciling('own a value that has become atomic if they owned a part of it', () => {
  assert.equal(reconcileWithSchema(fromFieldsV1(items), withField(ListOf(Item))), { 'f:x': {} })
  assert.equal(
    reconcileWithSchema(fromFieldsV1({ 'f:x': { 'f:k': {} } }), withField(StringMap({ mapType: 'atomic' }))),
    {
      'f:x': {},
    },
  )
})

reconciling('derive nothing when something stops being atomic', () => {
  const whole = fromFieldsV1({ 'f:x': {} })
  assert.is(reconcileWithSchema(whole, withField(ListOf(Item, { listType: 'map', listMapKeys: ['name'] }))), whole)
})

reconciling('are the same object if the schema still fits', () => {
  const set = fromFieldsV1(items)
  assert.is(reconcileWithSchema(set, withField(ListOf(Item, { listType: 'map', listMapKeys: ['name'] }))), set)
})

reconciling('keep fields that are not in the schema', () => {
  const set = fromFieldsV1({ 'f:gone': { 'f:a': {} } })
  assert.is(reconcileWithSchema(set, withField(ListOf(Item))), set)
})

reconciling.run()

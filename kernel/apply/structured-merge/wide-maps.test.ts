import { field, MapList, required, StringMap, Struct, Text } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { atOnce } from '../../contracts/in-turns.js'
import { modelOf, Settings } from '../apply-fixtures.js'
import { comparing } from './compare.js'
import { sortSet } from './field-set.js'
import { statedFields, toFieldSet } from './to-field-set.js'

const wide = suite('maps of thousands of keys')
const settings = modelOf(Settings)
const mapOf = (prefix: string, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, '']))
const fieldsOf = (keys: object) =>
  Object.fromEntries(
    Object.keys(keys)
      .sort()
      .map(key => [`f:${key}`, {}]),
  )

wide('are stated as smaller ones, in turns', () => {
  const data = mapOf('k', 12_000)
  assert.is(JSON.stringify(toFieldSet({ data }, settings)), JSON.stringify({ 'f:data': fieldsOf(data) }))
  assert.ok([...statedFields({ data }, settings)].length > 2)
})

wide('are added as smaller ones, in turns', () => {
  const data = mapOf('k', 12_000)
  const { added, modified, removed } = atOnce(comparing({}, { data }, settings))
  assert.is(JSON.stringify(sortSet(added)), JSON.stringify({ 'f:data': { '.': {}, ...fieldsOf(data) } }))
  assert.equal([{ ...modified }, { ...removed }], [{}, {}])
  assert.ok([...comparing({}, { data }, settings)].length > 1)
})

wide('are united in items of the same identity', () => {
  const Item = Struct('test.v1.Item', { name: required(1, Text()), labels: field(2, StringMap()) })
  const model = modelOf(Struct('test.v1.Items', { items: field(1, MapList(Item, 'name')) }))
  const [first, second] = [mapOf('a', 6_000), mapOf('b', 6_000)]
  const items = [first, second].map(labels => ({ name: 'x', labels }))
  const expected = { '.': {}, 'f:labels': fieldsOf({ ...first, ...second }), 'f:name': {} }
  assert.is(JSON.stringify(toFieldSet({ items }, model)), JSON.stringify({ 'f:items': { 'k:{"name":"x"}': expected } }))
})

wide.run()

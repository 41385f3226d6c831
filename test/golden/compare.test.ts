import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Comparison } from './compare.js'

const comparing = suite('comparing an answer with its expectation')
const differs = (expected: unknown, actual: unknown, comparison = new Comparison({ run: 'z1' })) =>
  comparison.difference(expected, actual, '$')

const same: Record<string, [expected: unknown, actual: unknown]> = {
  'a value': [{ a: [1, 'x', null] }, { a: [1, 'x', null] }],
  'a name with the run id, in keys too': [{ 'k-{{run}}': 'n-{{run}}' }, { 'k-z1': 'n-z1' }],
  'a time': ['<time>', '2020-01-01T00:00:00Z'],
  'a generated name': ['<gen:a-{{run}}->', 'a-z1-x7k2p'],
  'a part of a text': ['<contains:large>', 'Too large resource version'],
  anything: [{ a: '<any>' }, { a: { b: 1 } }],
}
for (const [title, [expected, actual]] of Object.entries(same))
  comparing(`accepts ${title}`, () => assert.is(differs(expected, actual), undefined))

const different: Record<string, [expected: unknown, actual: unknown, place: string]> = {
  'a missing field': [{ a: 1, b: 2 }, { a: 1 }, '$.b'],
  'an extra field': [{ a: 1 }, { a: 1, b: 2 }, '$.b'],
  'another order': [{ a: [1, 2] }, { a: [2, 1] }, '$.a[0]'],
  'a longer list': [[1], [1, 2], '$'],
  'another type': [{ a: '1' }, { a: 1 }, '$.a'],
  'a version of 0': ['<rv>', '0', '$'],
  'a time with fractions': ['<time>', '2020-01-01T00:00:00.5Z', '$'],
  'a field that every object inherits': [{ toString: '<any>' }, {}, '$.toString'],
}
for (const [title, [expected, actual, place]] of Object.entries(different))
  comparing(`refuses ${title}`, () => {
    assert.is(differs(expected, actual)?.split(':')[0], place)
  })

comparing('treats a symbol as the same value throughout', () => {
  const comparison = new Comparison({})
  assert.is(differs('<uid:1>', 'u', comparison), undefined)
  assert.is(differs('<uid:1>', 'u', comparison), undefined)
  assert.match(differs('<uid:1>', 'v', comparison) ?? '', 'was u')
})

comparing('treats two symbols as two values', () => {
  const comparison = new Comparison({})
  assert.is(differs('<rv:1>', '7', comparison), undefined)
  assert.match(differs('<rv:2>', '7', comparison) ?? '', 'already seen')
})

comparing.run()

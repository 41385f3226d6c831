import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Column, pathColumn } from './columns.js'
import { readJsonPath } from './json-path.js'

const paths = suite('JSON paths')
const object = {
  metadata: { name: 'a', labels: { 'a.b': 'dotted' } },
  spec: { list: ['x', 'y', 'z'], size: 3 },
  status: {
    conditions: [
      { type: 'Ready', status: 'True', n: 5 },
      { type: 'Other', status: 'False', n: 1 },
    ],
  },
}
const cases: Readonly<Record<string, readonly unknown[] | undefined>> = {
  '.spec.size': [3],
  '.spec.none.deeper': [],
  '.spec.list[1]': ['y'],
  '.spec.list[-1]': ['z'],
  '.spec.list[1:]': ['y', 'z'],
  '.spec.list[*]': ['x', 'y', 'z'],
  ".metadata.labels['a.b']": ['dotted'],
  '.metadata.labels.a\\.b': ['dotted'],
  ".status.conditions[?(@.type=='Ready')].status": ['True'],
  '.status.conditions[?(@.type!="Ready")].status': ['False'],
  '.status.conditions[?(@.n>2)].type': ['Ready'],
  '.spec.list[': undefined,
  'spec.size': undefined,
}
for (const [path, expected] of Object.entries(cases))
  paths(`${path} finds ${JSON.stringify(expected) ?? 'nothing: it is not a path'}`, () => {
    assert.equal(readJsonPath(path)?.(object), expected)
  })

paths('a column shows values of its type, and nothing for others', () => {
  const cell = (type: Column['type'], jsonPath: string) =>
    pathColumn({ name: 'C', type, description: '', jsonPath }).cell(object as never, 0)
  assert.is(cell('integer', '.spec.size'), 3)
  assert.is(cell('integer', '.metadata.name'), null)
  assert.is(cell('string', '.spec.list'), '["x","y","z"]')
  assert.is(cell('date', '.metadata.name'), '<invalid>')
  assert.is(cell('string', '.spec.none'), null)
})

paths.run()

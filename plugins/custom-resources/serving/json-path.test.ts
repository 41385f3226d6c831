import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { columnsOf } from './columns.js'
import { readJsonPath } from './json-path.js'
import { preferredFirst } from './version-order.js'

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
  paths(`${path} finds ${JSON.stringify(expected) ?? 'nothing: it is no path'}`, () => {
    assert.equal(readJsonPath(path)?.(object), expected)
  })

paths('a column shows values of its type, and nothing for others', () => {
  const cell = (type: string, jsonPath: string) =>
    columnsOf([{ name: 'C', type, jsonPath }])[1]!.cell(object as never, 0)
  assert.is(cell('integer', '.spec.size'), 3)
  assert.is(cell('integer', '.metadata.name'), null)
  assert.is(cell('string', '.spec.list'), '["x","y","z"]')
  assert.is(cell('date', '.metadata.name'), '<invalid>')
  assert.is(cell('string', '.spec.none'), null)
})

paths('versions are ordered by how stable they are, then by number', () => {
  const names = ['v1beta1', 'foo', 'v2', 'v11alpha2', 'v10', 'v1beta2'].map(name => ({ name }))
  assert.equal(
    preferredFirst(names).map(({ name }) => name),
    ['v10', 'v2', 'v1beta2', 'v1beta1', 'v11alpha2', 'foo'],
  )
})

paths.run()

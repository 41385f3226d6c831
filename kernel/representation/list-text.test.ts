import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ListText } from './list-text.js'

const texts = suite('the text of a list')

const metadata = { resourceVersion: '7', continue: 'x' }
const start = { kind: 'Table', apiVersion: 'meta/v1' }
const columns = { columnDefinitions: [{ name: 'Name', priority: 0 }] }
const rows = [
  { cells: ['one\ntwo', null, 3], object: { metadata: { name: 'a', labels: {} } } },
  { cells: [], object: null },
]

for (const isPretty of [false, true])
  for (const count of [0, 1, 2]) {
    const layout = isPretty ? 'indented' : 'in one line'
    const print = (value: object) => `${isPretty ? JSON.stringify(value, null, 2) : JSON.stringify(value)}\n`
    const items = rows.slice(0, count)
    const text = new ListText(start, columns, 'rows', isPretty)
    texts(`${layout}, of ${count} items, equals the list serialized as a whole`, () => {
      const pieces = items.map(item => text.items([item])).join()
      assert.is(
        text.begin(metadata) + pieces + text.end(count > 0, undefined),
        print({ ...start, metadata, ...columns, rows: items }),
      )
    })
    texts(`${layout}, of ${count} items, may have its metadata at the end`, () => {
      assert.is(
        text.begin(undefined) + text.items(items) + text.end(count > 0, metadata),
        print({ ...start, ...columns, rows: items, metadata }),
      )
    })
  }

texts.run()

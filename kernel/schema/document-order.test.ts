import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { inDocumentOrder } from './document-order.js'

const order = suite('paths in the order of a document')

order('nested paths are in document order, and missing ones come last', () => {
  const document = { spec: { list: [{ b: 1 }, { a: 2 }], z: 1 }, a: 1 }
  const paths = ['missing', 'a', 'spec.z', 'spec.list[1].a', 'spec.list[0].b']
  assert.equal(inDocumentOrder(document, paths), ['spec.list[0].b', 'spec.list[1].a', 'spec.z', 'a', 'missing'])
})

order('a deep document is not searched where no path leads', () => {
  let deep: object = {}
  for (let level = 0; level < 50_000; level++) deep = { deep }
  assert.equal(inDocumentOrder({ deep, b: 1, a: 1 }, ['a', 'b']), ['b', 'a'])
})

order.run()

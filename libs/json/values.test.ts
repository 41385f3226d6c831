import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { own, quoted, setOwn, sortedKeys } from './index.js'

const values = suite('JSON values')

values('an inherited name is not a key until it is set', () => {
  const object: Record<string, unknown> = {}
  for (const key of ['__proto__', 'constructor']) {
    assert.is(own(object, key), undefined)
    setOwn(object, key, 1)
    assert.is(own(object, key), 1)
  }
  assert.is(Object.getPrototypeOf(object), Object.prototype)
})

values('sorts keys, and reports whether they were sorted already', () => {
  assert.equal(sortedKeys({ a: 1, b: 2 }), { keys: ['a', 'b'], wereSorted: true })
  assert.equal(sortedKeys({ b: 1, a: 2 }), { keys: ['a', 'b'], wereSorted: false })
  assert.equal(sortedKeys({ b: 1, a: 2 }, 1).keys, ['b', 'a'])
})

values('a long value is described by its type only', () => {
  assert.is(quoted({ a: 1 }), '{"a":1}')
  assert.is(quoted('x'.repeat(300)), '"…"')
  assert.is(quoted(['x'.repeat(300)]), '[…]')
  assert.is(quoted(undefined), 'undefined')
})

values.run()

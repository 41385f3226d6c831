import type { StoredObject } from 'orch/sdk/host'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { KeyRing } from './key-ring.js'
import { OpenedObjects } from './opened-objects.js'

const opened = suite('objects that were decrypted')
const keys = { ...KeyRing.noKeys }
const objectOf = (key: string, modRevision: number, text = 'body'): StoredObject => ({
  key,
  modRevision,
  body: Buffer.from(text),
  attributes: Buffer.from('attributes'),
})

opened('are returned again, as a copy', () => {
  const objects = new OpenedObjects()
  const first = objectOf('a', 1)
  objects.keep(keys, first)
  first.body.fill('x')
  const second = objects.find(keys, objectOf('a', 1, 'sealed'))
  assert.equal(second, objectOf('a', 1))
  second?.body.fill('y')
  assert.equal(objects.find(keys, objectOf('a', 1, 'sealed')), objectOf('a', 1))
})

opened('are not returned for another version or another configuration', () => {
  const objects = new OpenedObjects()
  objects.keep(keys, objectOf('a', 1))
  assert.is(objects.find(keys, objectOf('a', 2)), undefined)
  assert.is(objects.find({ ...keys }, objectOf('a', 1)), undefined)
  assert.is(objects.find(keys, objectOf('b', 1)), undefined)
})

opened('are bounded: the oldest are evicted, and large ones are not cached', () => {
  const objects = new OpenedObjects()
  objects.keep(keys, objectOf('large', 1, 'x'.repeat(40_000)))
  assert.is(objects.find(keys, objectOf('large', 1)), undefined)
  const text = 'x'.repeat(30_000)
  const isKept = (n: number) => objects.find(keys, objectOf(`${n}`, 1)) !== undefined
  for (let n = 0; n < 100; n++) objects.keep(keys, objectOf(`${n}`, 1, text))
  assert.equal([isKept(0), isKept(30), isKept(31), isKept(99)], [false, false, true, true])
  // Caching the same one again takes no more space.
  for (let n = 0; n < 100; n++) objects.keep(keys, objectOf('99', 1, text))
  assert.equal([isKept(31), isKept(99)], [true, true])
})

opened.run()

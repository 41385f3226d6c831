import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { copyJson } from './copy-json.js'
import { writeJson } from './write-json.js'

const copying = suite('a copy of JSON')

copying('is equal to the original, whatever it contains', () => {
  fc.assert(fc.property(fc.jsonValue(), value => assert.equal(copyJson(value), value)))
})
copying('shares nothing with the original', () => {
  const original = { list: [{ deep: { text: 'a' } }] }
  copyJson(original).list[0]!.deep.text = 'b'
  assert.is(original.list[0]!.deep.text, 'a')
})
copying('copies keys such as __proto__ as plain keys', () => {
  const copy = copyJson(JSON.parse('{"__proto__":{"isAdmin":true},"constructor":1}'))
  assert.equal(Object.keys(copy), ['__proto__', 'constructor'])
  assert.is(copy.isAdmin, undefined)
})

copying('copies values of any depth, or up to its limit', () => {
  const deep = (levels: number) => JSON.parse(`${'{"a":['.repeat(levels / 2)}1${']}'.repeat(levels / 2)}`)
  const copy = copyJson(deep(9000))
  assert.is(writeJson(copy), writeJson(deep(9000)))
  const limits = { maxDepth: 1000, tooDeep: () => new Error('too deep') }
  assert.is(writeJson(copyJson(deep(1000), limits)), writeJson(deep(1000)))
  assert.throws(() => copyJson(deep(1400), limits), /too deep/)
})
copying('counts what it copies, at every level', () => {
  let items = 0
  const countItems = (count: number) => void (items += count)
  copyJson(JSON.parse(`${'[0,'.repeat(500)}0${']'.repeat(500)}`), {
    maxDepth: 10_000,
    tooDeep: () => new Error(),
    countItems,
  })
  assert.is(items, 1000)
})

copying.run()

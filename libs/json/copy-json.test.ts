import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { copyJson } from './copy-json.js'

const copying = suite('a copy of JSON')

copying('is equal to the original, whatever it holds', () => {
  fc.assert(fc.property(fc.jsonValue(), value => assert.equal(copyJson(value), value)))
})
copying('shares nothing with the original', () => {
  const original = { list: [{ deep: { text: 'a' } }] }
  copyJson(original).list[0]!.deep.text = 'b'
  assert.is(original.list[0]!.deep.text, 'a')
})
copying('keeps keys that mean something to the language, as keys', () => {
  const copy = copyJson(JSON.parse('{"__proto__":{"isAdmin":true},"constructor":1}'))
  assert.equal(Object.keys(copy), ['__proto__', 'constructor'])
  assert.is(copy.isAdmin, undefined)
})

copying.run()

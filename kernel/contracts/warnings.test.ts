import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Warnings } from './warnings.js'

const warnings = suite('the warnings of an answer')

/** The texts in the headers after all these were given. */
function shown(...texts: string[]): string[] {
  const all = new Warnings()
  let headers: readonly string[] = []
  for (const text of texts) headers = all.add(text) ?? headers
  return headers.map(header => header.replace(/^299 - "(.*)"$/, '$1'))
}

warnings('come once each, in order', () => assert.equal(shown('b', 'a', 'b'), ['b', 'a']))
warnings('are quoted', () => assert.equal(shown('say "a\\b"'), ['say \\"a\\\\b\\"']))
warnings('that are empty or would break a header are left out', () =>
  assert.equal(shown('', 'two\nlines', 'bell\x07', 'kept'), ['kept']),
)
warnings('keep their letters, in any language', () => assert.equal(shown('Größe 大'), ['Größe 大']))
warnings('are not cut while they fit', () => assert.equal(shown('x'.repeat(4096)), ['x'.repeat(4096)]))
warnings('are all cut short when they do not fit', () =>
  assert.equal(shown('a'.repeat(2000), 'b'.repeat(2000), 'c'.repeat(2000)), [
    'a'.repeat(256),
    'b'.repeat(256),
    'c'.repeat(256),
  ]),
)
warnings('stop when even cut short there are too many', () => {
  const many = Array.from({ length: 40 }, (_, i) => String(i).padStart(3, '0') + 'y'.repeat(257))
  assert.equal(
    shown(...many),
    many.slice(0, 16).map(text => text.slice(0, 256)),
  )
})

warnings.run()

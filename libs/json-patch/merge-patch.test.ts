import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { applyMergePatch } from './merge-patch.js'

const patching = suite('JSON merge patch')

/** The examples of RFC 7386, appendix A. */
const examples: [unknown, unknown, unknown][] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
]
for (const [target, patch, expected] of examples) {
  patching(`${JSON.stringify(patch)} onto ${JSON.stringify(target)}`, () => {
    const before = JSON.stringify([target, patch])
    assert.equal(applyMergePatch(target, patch), expected)
    assert.is(JSON.stringify([target, patch]), before)
  })
}

/** What Kubernetes does beyond the RFC. */
const inLists: [unknown, unknown, unknown][] = [
  [{}, { a: [{ b: null, c: [{ d: null }, null] }, null] }, { a: [{ c: [{}, null] }, null] }],
  [{ a: [{ b: 1 }] }, { a: [{ b: null }] }, { a: [{}] }],
  [{ a: { b: 1 } }, { a: [{ b: null }] }, { a: [{ b: null }] }],
]
for (const [target, patch, expected] of inLists)
  patching(`nulls in lists: ${JSON.stringify(patch)} onto ${JSON.stringify(target)}`, () => {
    const before = JSON.stringify([target, patch])
    assert.equal(applyMergePatch(target, patch), expected)
    assert.is(JSON.stringify([target, patch]), before)
  })

patching('a key named __proto__ is a key like any other', () => {
  const patched = applyMergePatch({}, JSON.parse('{"__proto__":{"polluted":1}}')) as object
  assert.ok(Object.hasOwn(patched, '__proto__'))
  assert.is(({} as Record<string, unknown>)['polluted'], undefined)
})

patching.run()

import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  difference,
  equalSets,
  type FieldSet,
  fromFieldsV1,
  intersection,
  isEmpty,
  isSubset,
  pathsOf,
  recursiveDifference,
  setOf,
  union,
  unionOfAll,
} from './field-set.js'

const sets = suite('field sets')

const element = fc.constantFrom('f:a', 'f:b', 'k:{"name":"x"}', 'v:1', 'v:"1"', 'i:0')
const path = fc.array(element, { minLength: 1, maxLength: 4 })
const paths = fc.array(path, { maxLength: 12 })

/** The same set the naive way: the texts of its paths. */
const texts = (set: FieldSet | readonly (readonly string[])[]) =>
  [...new Set([...(Array.isArray(set) ? set : pathsOf(set as FieldSet))].map(each => each.join(' ')))].sort()
const below = (text: string, roots: readonly string[]) =>
  roots.some(root => text === root || text.startsWith(`${root} `))

sets('contain exactly the inserted paths', () => {
  fc.assert(fc.property(paths, all => assert.equal(texts(setOf(all)), texts(all))))
})

const algebra: Record<string, (a: string[], b: string[]) => [string[], (a: FieldSet, b: FieldSet) => FieldSet]> = {
  union: (a, b) => [[...new Set([...a, ...b])].sort(), union],
  intersection: (a, b) => [a.filter(each => b.includes(each)), intersection],
  difference: (a, b) => [a.filter(each => !b.includes(each)), difference],
  'recursive difference': (a, b) => [a.filter(each => !below(each, b)), recursiveDifference],
}
for (const [name, law] of Object.entries(algebra)) {
  sets(`${name} is what it is for sets of paths`, () => {
    fc.assert(
      fc.property(paths, paths, (left, right) => {
        const [expected, operation] = law(texts(left), texts(right))
        const result = operation(setOf(left), setOf(right))
        assert.equal(texts(result), expected)
        assert.ok(equalSets(result, setOf(expected.map(text => text.split(' ')))), 'has the canonical shape')
      }),
      { numRuns: 1000 },
    )
  })
}

sets('the union of many sets is that of all their paths', () => {
  fc.assert(
    fc.property(fc.array(paths, { maxLength: 5 }), all => {
      const parts = all.map(setOf)
      assert.is(JSON.stringify(unionOfAll(parts)), JSON.stringify(parts.reduce(union, setOf([]))))
      assert.is(JSON.stringify(parts), JSON.stringify(all.map(setOf)), 'the sets are unchanged')
    }),
    { numRuns: 1000 },
  )
})

sets('a subset has only members of the other set', () => {
  fc.assert(
    fc.property(paths, paths, (left, right) => {
      const expected = texts(left).every(each => texts(right).includes(each))
      assert.is(isSubset(setOf(left), setOf(right)), expected)
      assert.ok(isSubset(intersection(setOf(left), setOf(right)), setOf(right)))
    }),
  )
})

sets('survive serialisation', () => {
  fc.assert(
    fc.property(paths, all => {
      const set = setOf(all)
      const text = JSON.stringify(set)
      assert.is(JSON.stringify(fromFieldsV1(JSON.parse(text))), text)
    }),
  )
})

sets('are written in one order, whatever the order of insertion', () => {
  fc.assert(fc.property(paths, all => assert.is(JSON.stringify(setOf(all)), JSON.stringify(setOf([...all].reverse())))))
})

sets('are the same object if an operation changes nothing', () => {
  fc.assert(
    fc.property(paths, paths, (left, right) => {
      const set = setOf(left)
      assert.is(union(set, intersection(set, setOf(right))), set)
      assert.is(difference(set, setOf([['f:other']])), set)
    }),
  )
})

sets('mark a member with children by a dot, and one without by an empty node', () => {
  assert.is(
    JSON.stringify(setOf([['f:a'], ['f:a', 'f:b'], ['f:c', 'f:d']])),
    '{"f:a":{".":{},"f:b":{}},"f:c":{"f:d":{}}}',
  )
  assert.ok(isEmpty(difference(setOf([['f:a', 'f:b']]), setOf([['f:a', 'f:b']]))))
})

sets('read foreign input: unsorted, with a lone dot, with unknown kinds', () => {
  const sent = { 'f:b': { '.': {} }, 'f:a': { 'x:new': {}, 'f:c': {} }, '.': {} }
  assert.is(JSON.stringify(fromFieldsV1(sent)), '{"f:a":{"f:c":{}},"f:b":{}}')
  for (const nonsense of [[], 'x', null, { 'f:a': 1 }, { f: {} }]) assert.throws(() => fromFieldsV1(nonsense))
})

sets.run()

import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { writeJson } from '../json/index.js'
import { type MergeRules, StrategicMergeError, strategicMerge } from './index.js'

/** Lists merge by the keys of this table; a place is the name of a field. */
const keys: Readonly<Record<string, string>> = { items: 'name', parts: 'name' }
const rules: MergeRules<string> = {
  field: (_, name) => ({ place: name, isReplaced: name === 'whole' }),
  list: place => (place === 'scalars' ? { item: undefined } : keys[place ?? ''] ? keyed(place) : undefined),
  mergeKey: place => keys[place ?? ''],
}
const keyed = (place: string | undefined) => ({ mergeKey: keys[place ?? '']!, item: place })
const merge = (original: object, patch: unknown, how = rules) =>
  strategicMerge(original as Record<string, unknown>, patch, how, undefined)

const merging = suite('strategic merge')

const cases: Readonly<Record<string, readonly [original: object, patch: object, result: object]>> = {
  'merges objects, and null removes': [{ a: { b: 1, c: 2 } }, { a: { c: null, d: 3 } }, { a: { b: 1, d: 3 } }],
  'replaces a field that is not merged': [{ whole: { a: 1 } }, { whole: { b: 2 } }, { whole: { b: 2 } }],
  'keeps nulls of a value that replaces another': [{ whole: { a: 1 } }, { whole: { b: null } }, { whole: { b: null } }],
  'replaces a list without a rule': [{ list: [1] }, { list: [2] }, { list: [2] }],
  'merges scalars as a set': [{ scalars: ['a', 'b'] }, { scalars: ['b', 'c'] }, { scalars: ['a', 'b', 'c'] }],
  'merges items by their key, within items too': [
    { items: [{ name: 'a', parts: [{ name: 'x', n: 1 }] }] },
    { items: [{ name: 'a', parts: [{ name: 'x', n: 2 }] }] },
    { items: [{ name: 'a', parts: [{ name: 'x', n: 2 }] }] },
  ],
  'deletes an item': [
    { items: [{ name: 'a' }, { name: 'b' }] },
    { items: [{ name: 'a', $patch: 'delete' }] },
    { items: [{ name: 'b' }] },
  ],
  'an added item keeps its nulls': [
    { items: [{ name: 'a' }] },
    { items: [{ name: null, n: null, m: 1 }] },
    { items: [{ name: null, n: null, m: 1 }, { name: 'a' }] },
  ],
  'replaces a list': [
    { items: [{ name: 'a' }] },
    { items: [{ $patch: 'replace' }, { name: 'c' }] },
    { items: [{ name: 'c' }] },
  ],
  'retains keys': [{ a: { x: 1, y: 2 } }, { a: { $retainKeys: ['x'], x: 3 } }, { a: { x: 3 } }],
  'adds an item whose key is null': [
    { items: [{ name: 'a' }] },
    { items: [{ name: null }] },
    { items: [{ name: null }, { name: 'a' }] },
  ],
  'drops instructions for what is not there': [
    {},
    {
      items: [{ name: 'a' }, { name: 'b', $patch: 'odd' }, { name: 'c', $patch: 'replace' }],
      map: { $patch: 'delete' },
    },
    { items: [{ name: 'a' }] },
  ],
  'deletes from a list of scalars': [
    { scalars: ['a', 'b'] },
    { '$deleteFromPrimitiveList/scalars': ['a'] },
    { scalars: ['b'] },
  ],
  'orders a list': [
    { items: [{ name: 'a' }, { name: 'b' }] },
    { '$setElementOrder/items': [{ name: 'b' }, { name: 'a' }] },
    { items: [{ name: 'b' }, { name: 'a' }] },
  ],
}
for (const [title, [original, patch, result]] of Object.entries(cases)) {
  merging(title, () => {
    const before = structuredClone([original, patch])
    assert.equal(merge(original, patch), result)
    assert.equal([original, patch], before, 'does not change its arguments')
  })
}

merging('the caller may choose where new items go', () => {
  const atTheEnd = {
    ...rules,
    arrange: (_: unknown, kept: readonly unknown[], added: readonly unknown[]) => [...kept, ...added],
  }
  const [original, patch] = [{ items: [{ name: 'a' }] }, { items: [{ name: 'b' }] }]
  assert.equal(merge(original, patch, atTheEnd), { items: [{ name: 'a' }, { name: 'b' }] })
  assert.equal(merge(original, patch), { items: [{ name: 'b' }, { name: 'a' }] })
})

const refused: Readonly<Record<string, readonly [patch: unknown, problem: string]>> = {
  'a patch that is not an object': [[], 'malformed'],
  'an unknown directive': [{ $patch: 'turn' }, 'unprocessable'],
  'an item without its key': [{ items: [{ other: 1 }] }, 'malformed'],
  'an item without its key beside one that replaces the list': [
    { items: [{ other: 1 }, { $patch: 'replace' }] },
    'malformed',
  ],
  'lists within lists': [{ items: [[1]] }, 'unprocessable'],
  'an order that is not a list': [{ '$setElementOrder/items': 1 }, 'malformed'],
  'keys other than those to retain': [{ a: { $retainKeys: ['x'], y: 1 } }, 'malformed'],
}
for (const [what, [patch, problem]] of Object.entries(refused)) {
  merging(`refuses ${what}`, () => {
    assert.throws(
      () => merge({ items: [{ name: 'a' }], a: {} }, patch),
      (error: unknown) => error instanceof StrategicMergeError && error.problem === problem,
    )
  })
}

merging('a null is a value in a map that replaces another', () => {
  assert.equal(merge({ a: { x: 1 } }, { a: { y: null, $patch: 'replace' } }), { a: { y: null } })
})

merging('an inherited name is a key like any other', () => {
  const patch = JSON.parse('{"a":{"__proto__":{"polluted":1}}}')
  const merged = merge({ a: {} }, patch) as { a: object }
  assert.ok(Object.hasOwn(merged.a, '__proto__'))
  assert.is(({} as Record<string, unknown>)['polluted'], undefined)
})

merging('values without rules may nest deeper than the stack', () => {
  const deep = (end: string, levels = 9000) => JSON.parse('{"a":'.repeat(levels) + end + '}'.repeat(levels))
  const unknown: MergeRules<string> = {
    field: () => ({ place: undefined }),
    list: () => undefined,
    mergeKey: () => undefined,
  }
  const merged = merge(deep('{"x":1,"y":[1]}'), deep('{"x":null,"y":[2],"z":{"$patch":"delete"}}'), unknown)
  assert.is(writeJson(merged), writeJson(deep('{"y":[2]}')))
  assert.is(writeJson(merge({}, deep('{"x":null}'), unknown)), writeJson(deep('{}')))
  const known: MergeRules<string> = { ...unknown, field: () => ({ place: 'a' }) }
  assert.throws(
    () => merge(deep('1'), deep('2'), known),
    (error: unknown) => error instanceof StrategicMergeError,
  )
})

merging.run()

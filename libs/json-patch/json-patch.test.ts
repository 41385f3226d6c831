import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { writeJson } from '../json/index.js'
import {
  applyJsonPatch,
  applyMergePatch,
  JsonPatchError,
  type JsonPatchProblem,
  maxJsonPatchOperations,
} from './index.js'

const patching = suite('JSON patch')
const document = { metadata: { annotations: { 'x.io/y': '1', 'a~b': '2' } }, list: [1, 2, 3], data: { k: '1' } }

const results: Record<string, [unknown[], (before: typeof document) => unknown]> = {
  'adds a key': [[{ op: 'add', path: '/data/n', value: '2' }], d => ({ ...d, data: { k: '1', n: '2' } })],
  'adds an item before a position': [[{ op: 'add', path: '/list/1', value: 9 }], d => ({ ...d, list: [1, 9, 2, 3] })],
  'adds an item at the end': [[{ op: 'add', path: '/list/-', value: 9 }], d => ({ ...d, list: [1, 2, 3, 9] })],
  'replaces an existing value': [[{ op: 'replace', path: '/data/k', value: null }], d => ({ ...d, data: { k: null } })],
  'removes an item': [[{ op: 'remove', path: '/list/0' }], d => ({ ...d, list: [2, 3] })],
  'moves a value': [[{ op: 'move', from: '/data/k', path: '/data/n' }], d => ({ ...d, data: { n: '1' } })],
  'copies a value': [[{ op: 'copy', from: '/data', path: '/more' }], d => ({ ...d, more: { k: '1' } })],
  'understands escaped slashes and tildes': [
    [
      { op: 'remove', path: '/metadata/annotations/x.io~1y' },
      { op: 'remove', path: '/metadata/annotations/a~0b' },
    ],
    d => ({ ...d, metadata: { annotations: {} } }),
  ],
  'continues after a successful test': [
    [
      { op: 'test', path: '/data', value: { k: '1' } },
      { op: 'remove', path: '/data' },
    ],
    ({ data: _, ...d }) => d,
  ],
  'treats a missing key as null in a test': [[{ op: 'test', path: '/data/none', value: null }], d => d],
  'does nothing without operations': [[], d => d],
  'accepts negative indexes, counted from the end': [
    [
      { op: 'remove', path: '/list/-1' },
      { op: 'add', path: '/list/-1', value: 9 },
      { op: 'replace', path: '/list/-3', value: 0 },
    ],
    d => ({ ...d, list: [0, 2, 9] }),
  ],
  'replaces a key that is missing': [
    [{ op: 'replace', path: '/data/n', value: '2' }],
    d => ({ ...d, data: { k: '1', n: '2' } }),
  ],
  'copies a key that is missing as null': [
    [{ op: 'copy', from: '/data/none', path: '/data/n' }],
    d => ({ ...d, data: { k: '1', n: null } }),
  ],
  'tests the whole document': [[{ op: 'test', path: '', value: document }], d => d],
  'replaces the whole document': [[{ op: 'replace', path: '', value: { a: 1 } }], () => ({ a: 1 })],
}
for (const [title, [patch, expected]] of Object.entries(results)) {
  patching(title, () => {
    const before = structuredClone(document)
    assert.equal(applyJsonPatch(document, patch), expected(structuredClone(document)))
    assert.equal(document, before, 'the original is unchanged')
  })
}

patching('shares what it does not change with the original, and nothing twice', () => {
  const original = { kept: { a: 1 }, source: { deep: { b: 1 } } }
  const patch = [
    { op: 'replace', path: '/source/deep/b', value: 2 },
    { op: 'copy', from: '/source', path: '/to' },
    { op: 'replace', path: '/to/deep/b', value: 3 },
    { op: 'add', path: '/added', value: { list: [1] } },
    { op: 'copy', from: '/added', path: '/again' },
    { op: 'add', path: '/again/list/-', value: 2 },
    { op: 'move', from: '/source', path: '/moved' },
    { op: 'replace', path: '/moved/deep/b', value: 4 },
  ]
  const sent = structuredClone(patch)
  const patched = applyJsonPatch(original, patch) as Record<string, unknown>
  assert.equal(patched, {
    kept: { a: 1 },
    to: { deep: { b: 3 } },
    added: { list: [1] },
    again: { list: [1, 2] },
    moved: { deep: { b: 4 } },
  })
  assert.is(patched['kept'], original.kept)
  assert.equal(original, { kept: { a: 1 }, source: { deep: { b: 1 } } })
  assert.equal(patch, sent)
})

const refused: Record<string, [unknown, JsonPatchProblem]> = {
  'a test that fails': [[{ op: 'test', path: '/data/k', value: '2' }], 'unprocessable'],
  'adding below a missing key': [[{ op: 'add', path: '/none/k', value: 1 }], 'unprocessable'],
  'removing a missing key': [[{ op: 'remove', path: '/data/none' }], 'unprocessable'],
  'replacing the whole document by null': [[{ op: 'replace', path: '', value: null }], 'unprocessable'],
  'replacing the whole document by a number': [[{ op: 'replace', path: '', value: 1 }], 'unprocessable'],
  'replacing a missing item': [[{ op: 'replace', path: '/list/3', value: 1 }], 'unprocessable'],
  'replacing below a missing key': [[{ op: 'replace', path: '/none/k', value: 1 }], 'unprocessable'],
  'copying a missing item': [[{ op: 'copy', from: '/list/3', path: '/x' }], 'unprocessable'],
  'copying from below a missing key': [[{ op: 'copy', from: '/none/k', path: '/x' }], 'unprocessable'],
  'adding the whole document': [[{ op: 'add', path: '', value: {} }], 'unprocessable'],
  'removing the whole document': [[{ op: 'remove', path: '' }], 'unprocessable'],
  'an operation that is null': [[null], 'unprocessable'],
  'an index before the first item': [[{ op: 'remove', path: '/list/-4' }], 'unprocessable'],
  'an index that is not a number': [[{ op: 'remove', path: '/list/x' }], 'unprocessable'],
  'moving something into itself': [[{ op: 'move', from: '/data', path: '/data/x' }], 'unprocessable'],
  'an index past the end': [[{ op: 'add', path: '/list/4', value: 1 }], 'unprocessable'],
  'a path without a slash': [[{ op: 'add', path: 'data', value: 1 }], 'unprocessable'],
  'an unknown operation': [[{ op: 'merge', path: '/data', value: 1 }], 'unprocessable'],
  'an operation without a path': [[{ op: 'add', value: 1 }], 'unprocessable'],
  'an add without a value': [[{ op: 'add', path: '/data/k' }], 'unprocessable'],
  'a patch that is not a list': [{ op: 'add' }, 'malformed'],
  'a patch that is null': [null, 'malformed'],
  'an operation that is not an object': [['add'], 'malformed'],
  'too many operations': [
    Array(maxJsonPatchOperations + 1).fill({ op: 'test', path: '/data/k', value: '1' }),
    'too-large',
  ],
  'copies that double the document again and again': [
    [
      { op: 'replace', path: '', value: { all: { x: [1, 2, 3, 4, 5, 6, 7, 8] } } },
      ...Array.from({ length: 60 }, (_, i) => ({ op: 'copy', from: '/all', path: `/all/x${i}` })),
    ],
    'too-large',
  ],
  'copies of a long text that would make a huge document': [
    [
      { op: 'add', path: '/long', value: 'x'.repeat(1_000_000) },
      ...Array.from({ length: 100 }, (_, i) => ({ op: 'copy', from: '/long', path: `/x${i}` })),
    ],
    'too-large',
  ],
}
for (const [title, [patch, problem]] of Object.entries(refused)) {
  patching(`refuses ${title}`, () => {
    try {
      applyJsonPatch(document, patch)
    } catch (error) {
      assert.instance(error, JsonPatchError)
      assert.is((error as JsonPatchError).problem, problem)
      return
    }
    assert.unreachable()
  })
}

for (const key of ['__proto__', 'constructor']) {
  patching(`never reaches inherited properties through ${key}`, () => {
    assert.throws(() => applyJsonPatch({}, [{ op: 'add', path: `/${key}/polluted`, value: 1 }]), /missing path/)
    assert.throws(
      () => applyJsonPatch({}, [{ op: 'add', path: `/${key}/prototype/polluted`, value: 1 }]),
      /missing path/,
    )
    const patched = applyJsonPatch({}, [{ op: 'add', path: `/${key}`, value: { a: 1 } }]) as object
    assert.ok(Object.hasOwn(patched, key))
    assert.is(({} as Record<string, unknown>)['polluted'], undefined)
  })
}

patching('thousands of insertions or removals in the middle of a long list are rejected before they take long', () => {
  const list = Array.from({ length: 800_000 }, () => 0)
  for (const op of ['add', 'remove'] as const) {
    const patch = Array.from({ length: 9_000 }, () => ({ op, path: '/list/0', value: 1 }))
    const cpu = process.cpuUsage()
    assert.throws(
      () => applyJsonPatch({ list }, patch),
      (error: JsonPatchError) => error.problem === 'too-large',
    )
    const ms = process.cpuUsage(cpu).user / 1000
    assert.ok(ms < 1000, `${op}: ${ms} ms`)
  }
})

patching('documents and patches may nest deeper than the stack', () => {
  const deep = (end: string, levels = 9000) => JSON.parse('{"a":'.repeat(levels) + end + '}'.repeat(levels))
  assert.is(
    writeJson(applyMergePatch(deep('{"x":1,"y":1}'), deep('{"x":null,"z":2}'))),
    writeJson(deep('{"y":1,"z":2}')),
  )
  assert.is(writeJson(applyMergePatch({}, deep('{"x":null}'))), writeJson(deep('{}')))
  const path = '/a'.repeat(9000)
  const patch = [
    { op: 'test', path: '', value: deep('1') },
    { op: 'copy', from: '/a', path: '/b' },
    { op: 'remove', path: '/b' },
    { op: 'replace', path, value: 2 },
  ]
  assert.is(writeJson(applyJsonPatch(deep('1'), patch)), writeJson(deep('2')))
})

patching.run()

import { field, Int32, MapList, required, Struct, Text } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { buildTypeModel } from '../../schema/type-model.js'
import { modelOf, Widget } from '../apply-fixtures.js'
import { checkTyped } from './check-typed.js'
import { compare } from './compare.js'
import { fromFieldsV1 } from './field-set.js'
import { merge } from './merge.js'
import { extractItems, removeItems } from './remove-items.js'
import { toFieldSet } from './to-field-set.js'

const widget = modelOf(Widget)
const spec = (value: unknown) => ({ spec: value })

const fieldSets = suite('fields of a value')
const stated: Record<string, [unknown, unknown]> = {
  'a scalar is itself': [spec({ size: 1 }), { 'f:spec': { 'f:size': {} } }],
  'a null is stated too': [spec({ size: null, sizes: null }), { 'f:spec': { 'f:size': {}, 'f:sizes': {} } }],
  'an empty struct is stated': [spec({}), { 'f:spec': {} }],
  'an item of a set is its value': [
    spec({ tags: ['b', 'a'] }),
    { 'f:spec': { 'f:tags': { 'v:"a"': {}, 'v:"b"': {} } } },
  ],
  'an atomic list is one field': [spec({ args: ['a'] }), { 'f:spec': { 'f:args': {} } }],
  'an atomic struct is one field': [spec({ limits: { low: 1 } }), { 'f:spec': { 'f:limits': {} } }],
  'an atomic map is one field': [spec({ settings: { a: 'b' } }), { 'f:spec': { 'f:settings': {} } }],
  'an item of a map list has its keys, and its fields below': [
    spec({ parts: [{ name: 'a', image: 'x' }] }),
    { 'f:spec': { 'f:parts': { 'k:{"name":"a"}': { '.': {}, 'f:image': {}, 'f:name': {} } } } },
  ],
  'a key that is left out takes its default': [
    spec({ ports: [{ port: 80 }] }),
    { 'f:spec': { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {} } } } },
  ],
  'a key that is null is null': [
    spec({ ports: [{ port: 80, protocol: null }] }),
    { 'f:spec': { 'f:ports': { 'k:{"port":80,"protocol":null}': { '.': {}, 'f:port': {}, 'f:protocol': {} } } } },
  ],
  'an empty granular list states nothing': [spec({ tags: [], size: 1 }), { 'f:spec': { 'f:size': {} } }],
  'a key of a map is stated together with its contents': [
    spec({ sizes: { small: { width: 1 } } }),
    { 'f:spec': { 'f:sizes': { 'f:small': { '.': {}, 'f:width': {} } } } },
  ],
  'without a schema, objects are granular and lists are not': [
    spec({ extra: { a: { b: [1, 2] }, c: 1 } }),
    { 'f:spec': { 'f:extra': { 'f:a': { '.': {}, 'f:b': {} }, 'f:c': {} } } },
  ],
}
fieldSets('a key that a struct keeps without declaring it is stated beside what is in it', () => {
  const open = buildTypeModel({ ...Struct('open', { size: field(1, Int32()) }), keepsUnknownFields: true })
  const stated = toFieldSet({ size: 1, other: { a: 1, list: [1] } }, open)
  assert.equal({ ...stated }, { 'f:other': { '.': {}, 'f:a': {}, 'f:list': {} }, 'f:size': {} })
})
fieldSets('a key that is always written need not be sent', () => {
  const part = Struct('part', { name: required(1, Text()), index: required(2, Int32()), note: field(3, Text()) })
  const parts = buildTypeModel(Struct('whole', { parts: field(1, MapList(part, 'name', 'index')) }))
  const stated = toFieldSet({ parts: [{ note: 'x' }] }, parts)
  assert.equal({ ...stated }, { 'f:parts': { 'k:{"index":0,"name":""}': { '.': {}, 'f:note': {} } } })
})
for (const [title, [value, expected]] of Object.entries(stated)) {
  fieldSets(title, () => assert.is(JSON.stringify(toFieldSet(value, widget)), JSON.stringify(expected)))
}

const comparing = suite('comparing values')
interface Differences {
  readonly before: unknown
  readonly after: unknown
  readonly added?: unknown
  readonly modified?: unknown
  readonly removed?: unknown
}
const differences: Record<string, Differences> = {
  'equal values do not differ': {
    before: spec({ args: ['a'], tags: ['b'] }),
    after: spec({ tags: ['b'], args: ['a'] }),
  },
  'a scalar is modified': {
    before: spec({ size: 1 }),
    after: spec({ size: 2 }),
    modified: { 'f:spec': { 'f:size': {} } },
  },
  'a map that appears is added with all it holds': {
    before: spec({}),
    after: spec({ sizes: { s: { width: 1 } } }),
    added: { 'f:spec': { 'f:sizes': { '.': {}, 'f:s': { '.': {}, 'f:width': {} } } } },
  },
  'a list that disappears is removed with all it holds': {
    before: spec({ tags: ['a'] }),
    after: spec({}),
    removed: { 'f:spec': { 'f:tags': { '.': {}, 'v:"a"': {} } } },
  },
  'order does not matter in a set': { before: spec({ tags: ['a', 'b'] }), after: spec({ tags: ['b', 'a'] }) },
  'order matters in an atomic list': {
    before: spec({ args: ['a', 'b'] }),
    after: spec({ args: ['b', 'a'] }),
    modified: { 'f:spec': { 'f:args': {} } },
  },
  'items are found by their keys': {
    before: spec({ parts: [{ name: 'a', image: 'x' }, { name: 'b' }] }),
    after: spec({ parts: [{ name: 'c' }, { name: 'a', image: 'y' }] }),
    added: { 'f:spec': { 'f:parts': { 'k:{"name":"c"}': { '.': {}, 'f:name': {} } } } },
    modified: { 'f:spec': { 'f:parts': { 'k:{"name":"a"}': { 'f:image': {} } } } },
    removed: { 'f:spec': { 'f:parts': { 'k:{"name":"b"}': { '.': {}, 'f:name': {} } } } },
  },
  'an undeclared value that turns into an object is modified and its parts are added': {
    before: spec({ extra: { a: 1 } }),
    after: spec({ extra: { a: { b: 2 } } }),
    added: { 'f:spec': { 'f:extra': { 'f:a': { 'f:b': {} } } } },
    modified: { 'f:spec': { 'f:extra': { 'f:a': {} } } },
  },
  'an undeclared null that turns into an object is not a replaced value': {
    before: spec({ extra: { a: null } }),
    after: spec({ extra: { a: { b: 2 } } }),
    added: { 'f:spec': { 'f:extra': { 'f:a': { 'f:b': {} } } } },
  },
  'empty and null differ as a whole': {
    before: spec({ sizes: {} }),
    after: spec({ sizes: null }),
    modified: { 'f:spec': { 'f:sizes': {} } },
  },
  'keys named like inherited properties are keys': {
    before: spec({ sizes: {} }),
    after: JSON.parse('{"spec":{"sizes":{"constructor":{"width":1},"__proto__":{"width":1}}}}'),
    added: fromFieldsV1({
      'f:spec': {
        'f:sizes': { 'f:constructor': { '.': {}, 'f:width': {} }, 'f:__proto__': { '.': {}, 'f:width': {} } },
      },
    }),
  },
}
for (const [title, { before, after, added = {}, modified = {}, removed = {} }] of Object.entries(differences)) {
  comparing(title, () => {
    const found = compare(before, after, widget)
    assert.equal({ added: found.added, modified: found.modified, removed: found.removed }, { added, modified, removed })
  })
}
comparing('skips ignored fields and everything below them', () => {
  const ignored = fromFieldsV1({ 'f:status': {}, 'f:spec': { 'f:size': {} } })
  const found = compare({ spec: { size: 1 } }, { spec: { size: 2, mode: 'a' }, status: { phase: 'x' } }, widget, {
    ignored,
  })
  assert.equal(found.added, { 'f:spec': { 'f:mode': {} } })
  assert.equal(found.modified, {})
})
comparing('names the list whose items cannot be distinguished', () => {
  const twice = spec({ parts: [{ name: 'a' }, { name: 'a' }] })
  assert.throws(() => compare({}, twice, widget), /^\.spec\.parts: duplicate entries for key \[name="a"\]$/)
  assert.throws(
    () => compare({}, spec({ parts: [{}] }), widget),
    /^\.spec\.parts: element 0: .* omits all key fields \["name"\]/,
  )
})

comparing('treats items that cannot be distinguished as one unit, if they may repeat', () => {
  const found = (before: object[], after: object[]) => {
    const { added, modified, removed } = compare(spec({ parts: before }), spec({ parts: after }), widget, {
      mayRepeat: true,
    })
    return { added, modified, removed }
  }
  const [a, b] = [
    { name: 'a', count: 1 },
    { name: 'a', count: 2 },
  ]
  const itself = fromFieldsV1({ 'f:spec': { 'f:parts': { 'k:{"name":"a"}': {} } } })
  assert.equal(found([a, b], [a, b]), { added: {}, modified: {}, removed: {} })
  assert.equal(found([a, b], [b, a]).modified, itself)
  assert.equal(found([{ name: 'z' }], [{ name: 'z' }, a, b]).added, itself)
  assert.equal(found([{ name: 'z' }, a, b], [{ name: 'z' }]).removed, itself)
})

const merging = suite('merging')
const merges: Record<string, [unknown, unknown, unknown]> = {
  'fields of both are kept, the applied value wins': [{ size: 1, mode: 'a' }, { size: 2 }, { size: 2, mode: 'a' }],
  'applied items keep their order': [
    { tags: ['b', 'a'], parts: [{ name: 'x', image: '1' }] },
    { tags: ['c', 'a'], parts: [{ name: 'y' }, { name: 'x', image: '2' }] },
    { tags: ['b', 'c', 'a'], parts: [{ name: 'y' }, { name: 'x', image: '2' }] },
  ],
  'units are replaced': [
    { args: ['a'], limits: { low: 1 }, settings: { a: '1' } },
    { args: ['b'], limits: { high: 2 }, settings: { b: '1' } },
    { args: ['b'], limits: { high: 2 }, settings: { b: '1' } },
  ],
  'a null states a field without emptying what has parts': [
    { sizes: { a: {} }, size: 1 },
    { sizes: null, size: null },
    { sizes: { a: {} }, size: null },
  ],
  'an item that leaves a key out is the one with its default': [
    { ports: [{ port: 80, protocol: 'TCP' }] },
    { ports: [{ port: 80, name: 'web' }] },
    { ports: [{ port: 80, protocol: 'TCP', name: 'web' }] },
  ],
  'undeclared objects merge, undeclared lists are replaced': [
    { extra: { a: { b: 1 }, l: [1] } },
    { extra: { a: { c: 1 }, l: [2] } },
    { extra: { a: { b: 1, c: 1 }, l: [2] } },
  ],
}
for (const [title, [live, applied, expected]] of Object.entries(merges)) {
  merging(title, () => assert.equal(merge(spec(live), spec(applied), widget), spec(expected)))
}
merging('without an order of their own, items keep their live order and new ones come last', () => {
  assert.equal(
    merge(spec({ tags: ['b', 'a'] }), spec({ tags: ['c', 'a'] }), widget, false),
    spec({ tags: ['b', 'a', 'c'] }),
  )
})
merging('parts that do not change are those of the live value', () => {
  const live = { spec: { size: 1, sizes: { small: { width: 1 } }, parts: [{ name: 'a', image: 'x' }], tags: ['a'] } }
  assert.is(merge(live, spec({ size: 1, sizes: { small: { width: 1 } }, parts: [{ name: 'a' }] }), widget), live)
  const changed = merge(live, spec({ size: 2, tags: ['a'], sizes: {} }), widget) as typeof live
  assert.equal(changed, { spec: { ...live.spec, size: 2 } })
  assert.is(changed.spec.parts, live.spec.parts)
  assert.is(changed.spec.sizes, live.spec.sizes)
  assert.is(live.spec.size, 1)
})

const removing = suite('removing and extracting')
const value = spec({
  size: 1,
  mode: 'a',
  tags: ['a', 'b'],
  parts: [{ name: 'x', image: '1' }, { name: 'y' }],
  args: ['a'],
})
const some = fromFieldsV1({
  'f:spec': {
    'f:args': {},
    'f:mode': {},
    'f:parts': { 'k:{"name":"x"}': { '.': {}, 'f:image': {}, 'f:name': {} } },
    'f:tags': { 'v:"a"': {} },
  },
})
removing('removes the members', () => {
  assert.equal(removeItems(value, some, widget), spec({ size: 1, tags: ['b'], parts: [{ name: 'y' }] }))
})
removing('leaves null for a part that becomes empty', () => {
  const gone = fromFieldsV1({ 'f:spec': { 'f:sizes': { 'f:a': {} } } })
  assert.equal(removeItems(spec({ size: 1, sizes: { a: {} } }), gone, widget), spec({ size: 1, sizes: null }))
})
removing('extracts the members and their parents', () => {
  const expected = spec({ mode: 'a', tags: ['a'], parts: [{ name: 'x', image: '1' }], args: ['a'] })
  assert.equal(extractItems(value, some, widget), expected)
})

const checking = suite('checking')
const findings: Record<string, [unknown, RegExp]> = {
  'an undeclared field': [{ bogus: 1 }, /^\.bogus: field not declared in schema$/],
  'a number for a text': [spec({ mode: 1 }), /^\.spec\.mode: expected string, got 1$/],
  'a text for a number': [spec({ size: '1' }), /^\.spec\.size: expected numeric \(int or float\), got "1"$/],
  'an object for a list': [spec({ tags: {} }), /^\.spec\.tags: expected list, got {}$/],
  'a list for an object': [spec([]), /^\.spec: expected map, got \[\]$/],
  'a repeated item of a set': [spec({ tags: ['a', 'a'] }), /^\.spec\.tags: duplicate entries for key \[="a"\]$/],
  'a repeated item of a map list, by default': [
    spec({ ports: [{ port: 1 }, { port: 1, protocol: 'TCP' }] }),
    /^\.spec\.ports: duplicate entries for key \[port=1,protocol="TCP"\]$/,
  ],
  'an item without its key': [
    spec({ parts: [{ image: 'x' }] }),
    /element 0: associative list with keys has an element that omits all key fields \["name"\]/,
  ],
  'a null item': [spec({ tags: [null] }), /explicit null/],
  'several findings at once': [spec({ mode: 1, size: 'x' }), /^errors:\n {2}\.spec\.mode: .*\n {2}\.spec\.size: /],
}
for (const [title, [sent, message]] of Object.entries(findings)) {
  checking(`finds ${title}`, () => assert.throws(() => checkTyped(sent, widget), message))
}
checking('accepts nulls and undeclared content', () => {
  const sent = spec({ size: null, tags: null, extra: { a: [1, { b: null }] } })
  assert.not.throws(() => checkTyped(sent, widget))
})

fieldSets.run()
comparing.run()
merging.run()
removing.run()
checking.run()

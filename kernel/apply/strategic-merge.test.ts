import { ApiError, embedded, field, Kind, ListOf, required, StringMap, Struct, Text } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { modelOf } from './apply-fixtures.js'
import { strategicMergePatch } from './strategic-merge.js'

const byName = { patchStrategy: 'merge', patchMergeKey: 'name' } as const
const Env = Struct('test.v1.PodEnv', { name: required(1, Text()), value: field(2, Text()) })
const Container = Struct('test.v1.PodContainer', {
  name: required(1, Text()),
  image: field(2, Text()),
  args: field(3, ListOf(Text())),
  env: field(4, ListOf(Env, byName)),
})
const Source = Struct('test.v1.PodVolume', {
  name: required(1, Text()),
  path: field(2, Text()),
  secret: field(3, Text()),
})
const Strategy = Struct('test.v1.PodStrategy', { type: field(1, Text()), rolling: field(2, Text()) })
const PodSpec = Struct('test.v1.PodSpec', {
  containers: field(1, ListOf(Container, byName)),
  volumes: field(2, ListOf(Source, { patchStrategy: 'merge,retainKeys', patchMergeKey: 'name' })),
  strategy: field(3, Strategy, { patchStrategy: 'retainKeys' }),
  selector: field(4, StringMap(), { patchStrategy: 'replace' }),
})
const pod = modelOf(Kind('test.v1.Pod', { spec: embedded(2, PodSpec) }))

const patching = suite('strategic merge patch')

interface Case {
  readonly live: object
  readonly patch: object
  readonly result: object
}
const containers = (...list: object[]) => ({ spec: { containers: list } })
const finalizers = (...list: string[]) => ({ metadata: { finalizers: list } })
const cases: Record<string, Case> = {
  'merges objects and removes fields that are null': {
    live: { metadata: { labels: { a: '1', b: '2' } } },
    patch: { metadata: { labels: { a: null, c: '3' } } },
    result: { metadata: { labels: { b: '2', c: '3' } } },
  },
  'ignores nulls for missing fields': {
    live: {},
    patch: { metadata: { labels: { a: null, b: '1' } } },
    result: { metadata: { labels: { b: '1' } } },
  },
  'merges items by their key, in place': {
    live: containers({ name: 'a', image: '1' }, { name: 'b', image: '1', env: [{ name: 'X', value: '1' }] }),
    patch: containers({ name: 'b', image: '2' }),
    result: containers({ name: 'a', image: '1' }, { name: 'b', image: '2', env: [{ name: 'X', value: '1' }] }),
  },
  'puts new items first': {
    live: containers({ name: 'a' }),
    patch: containers({ name: 'b' }),
    result: containers({ name: 'b' }, { name: 'a' }),
  },
  'removes an item': {
    live: containers({ name: 'a' }, { name: 'b' }),
    patch: containers({ name: 'a', $patch: 'delete' }),
    result: containers({ name: 'b' }),
  },
  'keeps added items after unnamed ones, as far as deletions freed positions': {
    live: containers({ name: 'a' }, { name: 'b', image: '1' }, { name: 'x', image: '1' }),
    patch: {
      spec: {
        '$setElementOrder/containers': [{ name: 'b' }, { name: 'c' }],
        containers: [{ name: 'c' }, { name: 'a', $patch: 'delete' }],
      },
    },
    result: containers({ name: 'b', image: '1' }, { name: 'x', image: '1' }, { name: 'c' }),
  },
  'puts added items after unnamed ones, even if only some positions were freed': {
    live: containers({ name: 'a' }, { name: 'x', image: '1' }),
    patch: {
      spec: {
        '$setElementOrder/containers': [{ name: 'b' }, { name: 'c' }],
        containers: [{ name: 'b' }, { name: 'c' }, { name: 'a', $patch: 'delete' }],
      },
    },
    result: containers({ name: 'x', image: '1' }, { name: 'b' }, { name: 'c' }),
  },
  'replaces a list': {
    live: containers({ name: 'a' }, { name: 'b' }),
    patch: containers({ $patch: 'replace' }, { name: 'c' }),
    result: containers({ name: 'c' }),
  },
  'replaces an object': {
    live: { metadata: { labels: { a: '1' } } },
    patch: { metadata: { labels: { $patch: 'replace', b: '2' } } },
    result: { metadata: { labels: { b: '2' } } },
  },
  'empties an object': {
    live: { metadata: { labels: { a: '1' } } },
    patch: { metadata: { labels: { $patch: 'delete' } } },
    result: { metadata: { labels: {} } },
  },
  'replaces lists that do not merge': {
    live: containers({ name: 'a', args: ['x', 'y'] }),
    patch: containers({ name: 'a', args: ['z'] }),
    result: containers({ name: 'a', args: ['z'] }),
  },
  'replaces a map that is marked for replacement': {
    live: { spec: { selector: { a: '1' } } },
    patch: { spec: { selector: { b: '2' } } },
    result: { spec: { selector: { b: '2' } } },
  },
  'merges scalars without repeating them': {
    live: finalizers('x', 'y'),
    patch: finalizers('y', 'z'),
    result: finalizers('x', 'y', 'z'),
  },
  'deletes from a list of scalars': {
    live: finalizers('x', 'y'),
    patch: { metadata: { '$deleteFromPrimitiveList/finalizers': ['x'] } },
    result: finalizers('y'),
  },
  'orders items as requested, and keeps the positions of others': {
    live: containers({ name: 'a' }, { name: 'server' }, { name: 'b' }),
    patch: {
      spec: {
        '$setElementOrder/containers': [{ name: 'b' }, { name: 'c' }, { name: 'a' }],
        containers: [{ name: 'c', image: '1' }],
      },
    },
    result: containers({ name: 'server' }, { name: 'b' }, { name: 'c', image: '1' }, { name: 'a' }),
  },
  'orders scalars as requested': {
    live: finalizers('a', 'b'),
    patch: { metadata: { '$setElementOrder/finalizers': ['b', 'c', 'a'], finalizers: ['c'] } },
    result: finalizers('b', 'c', 'a'),
  },
  'orders without any content': {
    live: containers({ name: 'a' }, { name: 'b' }),
    patch: { spec: { '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }] } },
    result: containers({ name: 'b' }, { name: 'a' }),
  },
  'orders and deletes at once': {
    live: containers({ name: 'a' }, { name: 'b' }),
    patch: {
      spec: { '$setElementOrder/containers': [{ name: 'b' }], containers: [{ name: 'a', $patch: 'delete' }] },
    },
    result: containers({ name: 'b' }),
  },
  'keeps only the keys to retain': {
    live: { spec: { strategy: { type: 'Rolling', rolling: 'x' } } },
    patch: { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } },
    result: { spec: { strategy: { type: 'Recreate' } } },
  },
  'keeps only the keys to retain of an item': {
    live: { spec: { volumes: [{ name: 'v', path: '/x' }] } },
    patch: { spec: { volumes: [{ name: 'v', secret: 's', $retainKeys: ['name', 'secret'] }] } },
    result: { spec: { volumes: [{ name: 'v', secret: 's' }] } },
  },
  'leaves no directive in new values': {
    live: {},
    patch: {
      spec: {
        containers: [
          { name: 'a', $patch: 'delete' },
          { name: 'b', env: [{ $patch: 'replace' }, { name: 'X' }] },
        ],
      },
    },
    result: containers({ name: 'b', env: [{ name: 'X' }] }),
  },
}
for (const [title, { live, patch, result }] of Object.entries(cases)) {
  patching(title, () => {
    const before = JSON.stringify([live, patch])
    assert.equal(strategicMergePatch(live as Record<string, unknown>, patch, pod), result)
    assert.is(JSON.stringify([live, patch]), before, 'neither argument changes')
  })
}

const live = { ...containers({ name: 'a' }), metadata: { labels: { a: '1' }, finalizers: ['x'] } }
const refused: Record<string, [unknown, number, RegExp]> = {
  'a patch that is not an object': [[], 400, /^invalid JSON document$/],
  'an item without its merge key': [containers({ image: 'x' }), 400, /does not contain declared merge key: name$/],
  'an unknown directive': [{ metadata: { $patch: 'bogus' } }, 422, /^unknown patch type: "bogus" in map: /],
  'a merge directive in a list': [containers({ name: 'a', $patch: 'merge' }), 400, /^merging lists cannot yet be/],
  'an order that the items do not follow': [
    {
      spec: {
        '$setElementOrder/containers': [{ name: 'a' }, { name: 'b' }],
        containers: [{ name: 'b' }, { name: 'a' }],
      },
    },
    400,
    /^The order in patch list:/,
  ],
  'an order that is not a list': [
    { spec: { '$setElementOrder/containers': {} } },
    400,
    /^invalid patch format of setElementOrder list$/,
  ],
  'an order for nothing': [{ spec: { $setElementOrder: [] } }, 400, /^invalid patch format of setElementOrder list$/],
  'keys to retain that are not a list': [
    { metadata: { labels: { $retainKeys: 1 } } },
    400,
    /^invalid patch format of retainKeys$/,
  ],
  'a key that is not to be retained': [
    { metadata: { labels: { $retainKeys: ['b'], c: '1' } } },
    400,
    /^invalid patch format of retainKeys$/,
  ],
  'deletions that are not a list': [
    { metadata: { '$deleteFromPrimitiveList/finalizers': 'x' } },
    400,
    /^invalid patch format of primitive list$/,
  ],
}
patching('a 422 also has its message as a cause, because kubectl shows nothing else of it', () => {
  assert.throws(
    () => strategicMergePatch(live, { metadata: { $patch: 'bogus' } }, pod),
    ({ message, details }: { message: string; details: { causes: { field: string; message: string }[] } }) =>
      details.causes[0]?.field === 'patch' && details.causes[0]?.message === message,
  )
})

for (const [title, [patch, code, message]] of Object.entries(refused)) {
  patching(`refuses ${title}`, () => {
    try {
      strategicMergePatch(live, patch, pod)
    } catch (error) {
      assert.instance(error, ApiError)
      assert.is((error as ApiError).code, code)
      assert.match((error as ApiError).message, message)
      return
    }
    assert.unreachable()
  })
}

patching('merges lists as long as a body can make them', () => {
  const many = (prefix: string) => Array.from({ length: 20_000 }, (_, i) => ({ name: `${prefix}${i}` }))
  const gone = many('old').map(item => ({ ...item, $patch: 'delete' }))
  const live = containers(...many('old'), ...many('kept'))
  const { spec } = strategicMergePatch(live, containers(...gone, ...many('new')), pod) as ReturnType<typeof containers>
  assert.is(spec.containers.length, 40_000)
})

patching.run()

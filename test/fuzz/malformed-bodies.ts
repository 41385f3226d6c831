import {
  applyPatch,
  configMaps,
  json,
  jsonPatch,
  type MalformedKind,
  mergePatch,
  strategicPatch,
  target,
} from './malformed-request.js'
import type { SeededRandom } from './seeded-random.js'

const post = (body: Buffer | string, headers: Record<string, string> = {}) => ({
  method: 'POST',
  path: configMaps,
  headers,
  body,
})
const patch = (type: string, body: string) => ({
  method: 'PATCH',
  path: target,
  headers: { 'Content-Type': type },
  body,
})

const whole = (random: SeededRandom) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `f-${random.between(0, 1e9)}`, labels: { a: 'b' }, annotations: { c: 'd é 🐎' } },
    data: { k: random.text('abc\n"\\{}[]', random.between(0, 40)) },
  })

/** A value of any JSON type that is not one of the given. */
const other = (random: SeededRandom, ...not: string[]): unknown => {
  const values: Record<string, unknown> = { number: 5, string: 'x', boolean: true, array: [1], object: { z: { y: 1 } } }
  return random.pick(
    Object.entries(values)
      .filter(([type]) => !not.includes(type))
      .map(([, value]) => value),
  )
}

const nested = (random: SeededRandom, open: string, close: string) => {
  const depth = random.between(10_000, 60_000)
  return open.repeat(depth) + close.repeat(depth)
}

/** Bodies that are unreadable or invalid. */
export const malformedBodies: readonly MalformedKind[] = [
  {
    name: 'truncated JSON',
    weight: 20,
    make: random => {
      const text = whole(random)
      return post(text.slice(0, random.between(0, text.length - 1)))
    },
  },
  {
    name: 'JSON with a syntax error',
    weight: 10,
    make: random => {
      const text = whole(random)
      const at = random.between(1, text.length - 1)
      const control = text.slice(0, at) + random.pick(['\u0000', '\u0001', '\u001f']) + text.slice(at)
      return post(
        random.pick([control, text.replace(':', random.pick([';', '=', '::', ''])), `${text}${text}`, `[${text}]`]),
      )
    },
  },
  {
    name: 'a value of the wrong type',
    weight: 20,
    make: random => {
      const object = JSON.parse(whole(random))
      const spoil: (() => void)[] = [
        () => (object.metadata = other(random, 'object')),
        () => (object.data = other(random, 'object')),
        () => (object.data.k = other(random, 'string')),
        () => (object.binaryData = { b: other(random, 'string', 'array') }),
        () => (object.immutable = other(random, 'boolean')),
        () => (object.metadata.labels = other(random, 'object')),
        () => (object.metadata.labels.a = other(random, 'string')),
        () => (object.metadata.name = other(random, 'string')),
        () => (object.metadata.ownerReferences = other(random, 'array')),
        () => (object.metadata.finalizers = [other(random, 'string')]),
        () => (object.kind = other(random, 'string')),
        () => (object.apiVersion = other(random, 'string')),
        () => (object.metadata.creationTimestamp = random.pick(['yesterday', 5, {}])),
      ]
      random.pick(spoil)()
      return post(JSON.stringify(object))
    },
  },
  {
    name: 'a name, label, annotation or key that breaks the rules',
    weight: 10,
    make: random => {
      const object = JSON.parse(whole(random))
      const spoil: (() => void)[] = [
        () => (object.metadata.name = random.pick(['A', 'a_b', '-a', 'a..b', 'é', 'a'.repeat(254), 'a/b', '..'])),
        () => (object.metadata.labels = { [random.pick(['a b', '-x', 'a/b/c', '/x', 'é'])]: 'v' }),
        () => (object.metadata.labels = { a: random.pick(['-', 'a b', 'é', 'v'.repeat(64)]) }),
        () => (object.metadata.annotations = { 'not a key!': 'v' }),
        () => (object.metadata.finalizers = ['not/a/finalizer']),
        () => (object.data = { [random.pick(['a b', '..', '../x', 'k'.repeat(254), 'é'])]: 'v' }),
        () => (object.metadata.namespace = 'elsewhere'),
        () => (object.kind = 'Secret'),
        () => (object.apiVersion = random.pick(['v2', 'apps/v1', 'v1/v1/v1'])),
      ]
      random.pick(spoil)()
      return post(JSON.stringify(object))
    },
  },
  {
    name: 'invalid UTF-8',
    weight: 8,
    make: random => {
      const text = whole(random)
      const at = text.indexOf('"k":"') + 5
      const bad = random.pick([[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82]])
      return post(Buffer.concat([Buffer.from(text.slice(0, at)), Buffer.from(bad), Buffer.from(text.slice(at))]))
    },
  },
  {
    name: 'deep nesting',
    weight: 1,
    make: random => {
      const inside = random.pick([nested(random, '[', ']'), nested(random, '{"a":', '}').replace('}', '1}')])
      const text = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"deep"},"data":${inside}}`
      return random.pick([post(text), patch(mergePatch, text), patch(strategicPatch, text), patch(applyPatch, text)])
    },
  },
  {
    name: 'random bytes',
    weight: 10,
    make: random =>
      post(Buffer.concat([Buffer.from([0x80]), random.bytes(random.between(0, 200))]), {
        'Content-Type': random.pick([json, 'application/vnd.kubernetes.protobuf', 'application/yaml']),
      }),
  },
  {
    name: 'broken Protobuf in a good envelope',
    weight: 5,
    make: random =>
      post(Buffer.concat([Buffer.from('k8s\0'), Buffer.from([0x0a, 0xff, 0xff, 0xff, 0x7f]), random.bytes(20)]), {
        'Content-Type': 'application/vnd.kubernetes.protobuf',
      }),
  },
  {
    name: 'YAML that is broken or explodes',
    weight: 4,
    make: random =>
      post(
        random.pick([
          'metadata: [unclosed',
          'a: b: c',
          '\tmetadata: {name: x}',
          `a0: &a0 [x,x]\n${Array.from({ length: 40 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n},*a${n}]`).join('\n')}`,
          '&a [*a]',
          '--- 1\n--- 2',
          '!!js/function "x"',
        ]),
        { 'Content-Type': 'application/yaml' },
      ),
  },
  {
    name: 'a body that is too large',
    weight: 0.05,
    make: random => post(`{"data":{"k":"${'x'.repeat(random.between(3_200_000, 4_000_000))}"}}`),
  },
  {
    name: 'a declared length that is too large',
    weight: 2,
    make: random => post('', { 'Content-Length': String(random.between(13_000_000, 2_000_000_000)) }),
  },
  {
    name: 'patches that cannot be applied',
    weight: 15,
    make: random =>
      random.pick([
        () => patch(jsonPatch, random.pick(['{}', '[{}]', '[{"op":"fly","path":"/a"}]', '[1]', 'null', '"x"', '['])),
        () => patch(jsonPatch, '[{"op":"test","path":"/data/k","value":"never"}]'),
        () => patch(jsonPatch, `[{"op":"remove","path":"/data/none${random.between(0, 999)}"}]`),
        () => patch(jsonPatch, '[{"op":"add","path":"data","value":{}}]'),
        () => patch(jsonPatch, '[{"op":"move","from":"/nowhere","path":"/data/k"}]'),
        () => patch(mergePatch, random.pick(['[]', '5', '"x"', '{"data":5}', '{"metadata":{"labels":[]}}', '{', ''])),
        () => patch(mergePatch, `{"metadata":{"uid":"00000000-0000-0000-0000-${random.text('0123456789', 12)}"}}`),
        () => patch(mergePatch, '{"metadata":{"resourceVersion":"1"}}'),
        () => patch(strategicPatch, random.pick(['[]', '{"data":7}', '{"$patch":"fly"}', '{"metadata":{"labels":3}}'])),
        () => patch(applyPatch, random.pick(['[]', 'a: [', '{"apiVersion":"v1"}', '5'])),
        () => patch(random.pick(['text/plain', 'application/json', 'x', '']), '{}'),
      ])(),
  },
]

import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  ArrayList,
  Duration,
  dynType,
  EntriesMap,
  Failure,
  macros,
  Optional,
  type Overload,
  Timestamp,
  type Type,
  TypeValue,
  Uint,
  Work,
  WorkExceeded,
} from '../cel/index.js'
import { compileExpression, functionsOf } from './environment.js'
import { authorizerType, authorizerValue } from './libraries/authorization.js'

/** No expression may hold up the event loop for longer, whatever it does with what a request can carry. */
const maxMs = 250
const bodyBytes = 3 * 1024 * 1024

/** Ten nested lists that each contain the same list ten times: a billion items in a hundred slots. */
const shared = (innermost: unknown): ArrayList =>
  Array.from({ length: 9 }).reduce<ArrayList>(
    inner => new ArrayList(Array.from({ length: 10 }, () => inner)),
    new ArrayList(Array.from({ length: 10 }, () => innermost)),
  )
const sharedMap = (): EntriesMap =>
  Array.from({ length: 10 }).reduce<EntriesMap>(
    inner => EntriesMap.ofStrings(Array.from({ length: 10 }, (_, i) => [`k${i}`, inner] as const)),
    EntriesMap.ofStrings([['k', 1n]]),
  )
const fill = (text: string) => text.repeat(Math.ceil(bodyBytes / text.length)).slice(0, bodyBytes)
const texts = {
  letters: fill('a'),
  digits: fill('9'),
  separated: fill('a,'),
  escaped: fill('\\"\n~/%s'),
  characters: '😀'.repeat(bodyBytes / 4),
  url: `https://a/${fill('b%20 ')}?${fill('c=d&')}`.slice(0, bodyBytes),
}
const patterns = [
  '(.*a){900}$',
  '[ab]*a[ab]{20}c',
  '(a?){500}a{500}b',
  'a*?b|a',
  `${'[^x]{1000}'.repeat(50)}`,
  '\\pL'.repeat(2000),
]
const manyOf = (value: (i: number) => unknown) =>
  new ArrayList(Array.from({ length: bodyBytes / 2 }, (_, i) => value(i)))
const wide = EntriesMap.ofStrings(Array.from({ length: bodyBytes / 12 }, (_, i) => [`k${i}`, 1n] as const))

/** The worst values of a type. A type without one fails the test, so that no function with a new type is left out. */
const hostile: Readonly<Record<string, () => readonly unknown[]>> = {
  null: () => [null],
  bool: () => [true, false],
  int: () => [0n, -1n, 1n, BigInt(bodyBytes), 2n ** 63n - 1n],
  uint: () => [new Uint(2n ** 64n - 1n)],
  double: () => [1e308, 5e-324, Number.NaN],
  string: () => [
    ...Object.values(texts),
    ...patterns,
    '',
    'a',
    ',',
    '%s',
    '10.0.0.0/8',
    '1.2.3',
    'UTC',
    'Africa/Cairo',
  ],
  bytes: () => [new Uint8Array(bodyBytes)],
  timestamp: () => [new Timestamp(0n), new Timestamp(-62_135_596_800n * 1_000_000_000n)],
  duration: () => [new Duration(1n)],
  type: () => [new TypeValue('int')],
  dyn: () => [shared(texts.letters), shared(1n), sharedMap(), manyOf(BigInt), wide, texts.letters],
  param: () => [shared(texts.letters), shared(1n), sharedMap(), manyOf(BigInt), texts.letters],
  map: () => [sharedMap(), wide],
}
const made = new Map<string, readonly unknown[]>()
function hostileValues(type: Type): readonly unknown[] {
  const key = `${type.kind}${type.name}${type.params.map(param => param.kind + param.name).join()}`
  let values = made.get(key)
  if (!values) made.set(key, (values = makeValues(type)))
  return values
}
function makeValues(type: Type): readonly unknown[] {
  if (type.kind === 'list') return listsOf(type.params[0]!)
  if (type.name === 'optional_type') return hostileValues(type.params[0]!).map(value => Optional.of(value))
  const source = madeBy[type.name]
  if (source) return source.map(text => madeValue(text, type.name))
  const values = hostile[type.kind]
  assert.ok(values && type.kind !== 'opaque' && type.kind !== 'struct', `no hostile values of type ${type.name}`)
  return values!()
}
function listsOf(item: Type): readonly unknown[] {
  const items = hostileValues(item)
  const alike = items.slice(0, 3).map(value => manyOf(() => value))
  switch (item.kind) {
    case 'int':
      return [...alike, manyOf(i => BigInt(-i)), manyOf(i => BigInt((i * 7919) % 1_000_003))]
    case 'string':
      return [...alike, manyOf(i => `${texts.letters.slice(0, 2)}${i % 1000}`), new ArrayList(items)]
    case 'dyn':
    case 'param':
      return [...items.filter(value => value instanceof ArrayList), manyOf(() => texts.letters)]
    default:
      return alike
  }
}
/** Expressions that make values of types that only functions make. `long` is a string of three megabytes. */
const madeBy: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.URL': [`url("https://a/b?c=d")`, 'url(link)'],
  'kubernetes.Quantity': ['quantity("1Ki")', 'quantity(digits)'],
  'kubernetes.Semver': [`semver("1.2.3-${'a.'.repeat(100)}a")`],
  'kubernetes.Image': ['image("registry.example.com/a/b:c")'],
  'kubernetes.NamedFormat': [
    ...['dns1123Label', 'dns1123Subdomain', 'dns1035Label', 'qualifiedName', 'labelValue', 'uri', 'uuid', 'byte'],
    ...['date', 'datetime', 'dns1123LabelPrefix', 'dns1123SubdomainPrefix', 'dns1035LabelPrefix'],
  ].map(name => `format.${name}()`),
  'net.IP': ['ip("::1")', 'ip("10.0.0.1")'],
  'net.CIDR': ['cidr("10.0.0.0/8")', 'cidr("::/0")'],
  'kubernetes.authorization.Authorizer': ['a'],
  'kubernetes.authorization.PathCheck': ['a.path("/x")'],
  'kubernetes.authorization.GroupCheck': ['a.group("x")'],
  'kubernetes.authorization.ResourceCheck': ['a.group("x").resource("y")'],
  'kubernetes.authorization.Decision': ['a.path("/x").check("get")'],
}
const values = {
  a: authorizerValue({ check: () => ({ decision: 'allow' }) }),
  link: `https://a/${'b%20 '.repeat(5_000)}?${'c=d&'.repeat(5_000)}`,
  digits: '9'.repeat(18),
}
function madeValue(text: string, typeName: string): unknown {
  const outcome = compileExpression(text, {
    variables: new Map([
      ['a', authorizerType],
      ['link', dynType],
      ['digits', dynType],
    ]),
  }).run(values, new Work({ cost: 1e9, steps: 1e9, deadlineMs: 1e9 }))
  if ('error' in outcome) throw new Error(`${typeName} from ${text}: ${outcome.error}`)
  return outcome.value
}

/** Combines the arguments so that each value occurs at least once, including combinations that are worse. */
function* combinations(params: readonly Type[]): Iterable<readonly unknown[]> {
  const all = params.map(hostileValues)
  const most = Math.max(1, ...all.map(each => each.length))
  for (let shift = 0; shift < (params.length > 1 ? 3 : 1); shift++)
    for (let i = 0; i < most; i++)
      yield all.map((each, at) => each[(i * (at === 0 || shift < 2 ? 1 : 3) + shift * at * 5) % each.length])
}

const slowestAttempts = 8
const threadCpuMs = (): number => Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[0]) / 1e6
/**
 * The CPU time of the thread is not that of the threads that compile and collect garbage, but another process on the same core makes
 * it longer too, so a slow run is repeated after a while: what is really slow stays slow.
 */
function busyMs(run: () => void): number {
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < slowestAttempts && least >= maxMs; attempt++) {
    if (attempt > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100 * attempt)
    const before = threadCpuMs()
    run()
    least = Math.min(least, threadCpuMs() - before)
  }
  return least
}
const work = () => new Work({ cost: 1_000_000 })

const bounded = suite('the work of expressions is bounded')
const table = [...functionsOf()].flatMap(([name, overloads]) => overloads.map(overload => [name, overload] as const))

bounded('no overload is registered twice under one name', () => {
  const ids = table.map(([name, { id, isMethod }]) => `${name} ${id} ${isMethod}`)
  assert.is(new Set(ids).size, ids.length)
  assert.ok(table.length > 300, `${table.length} overloads`)
})

/** Functions with one implementation for many types, such as comparisons, are tried once per combination of values. */
const tried = new Set<string>()
for (const [name, overload] of table)
  if (overload.run)
    bounded(`${name} (${overload.id})`, () => {
      for (const args of combinations(overload.params)) tryOverload(overload, args)
    })
function tryOverload(overload: Overload, args: readonly unknown[]): void {
  let limited = work()
  const call = () => {
    limited = work()
    try {
      overload.run!(limited, ...args)
    } catch (thrown) {
      if (!(thrown instanceof Failure || thrown instanceof WorkExceeded || thrown instanceof RangeError)) throw thrown
    }
  }
  const ms = busyMs(call)
  assert.ok(ms < maxMs, `${overload.id}(${args.map(described)}) took ${Math.round(ms)} ms, ${limited.stepsUsed} steps`)
  tried.add(overload.id)
}
const described = (value: unknown): string =>
  typeof value === 'string' ? `${value.slice(0, 20)}… of ${value.length}` : String(value).slice(0, 40)

/** Operators and macros that are part of the evaluator. */
const built: Readonly<Record<string, readonly string[]>> = {
  conditional: ['(x == y ? x : y) == y'],
  logical_and: ['x == y && y == x'],
  logical_or: ['x != y || y != x'],
  not_strictly_false: ['many.all(i, x == y)'],
  index_list: ['many[1] == many[2] && x[0] == y[0]'],
  index_map: ['m["k0"] == m["k1"]'],
  select_optional_field: ['m.?k0 == m.?k1'],
  list_optindex_optional_int: ['x[?0] == y[?1]'],
  optional_list_optindex_optional_int: ['optional.of(x)[?0] == optional.of(y)[?0]'],
  map_optindex_optional_value: ['m[?"k0"] == m[?"k1"]'],
  optional_map_optindex_optional_value: ['optional.of(m)[?"k0"] == optional.of(m)[?"k1"]'],
  optional_list_index_int: ['optional.of(x)[0] == optional.of(y)[0]'],
  optional_map_index_value: ['optional.of(m)["k0"] == optional.of(m)["k1"]'],
  optional_or_optional: ['optional.of(x).or(optional.of(y)) == optional.of(y)'],
  optional_orValue_value: ['optional.none().orValue(x) == y'],
  'all/2': ['many.all(a, many.all(b, many.all(c, a + b + c > -1)))'],
  'exists/2': ['many.exists(a, many.exists(b, a + b < 0))'],
  'exists_one/2': ['many.exists_one(a, many.exists_one(b, a == b))'],
  'existsOne/2': ['many.existsOne(a, a == 1)'],
  'filter/2': ['many.filter(a, many.filter(b, a == b).size() > 0).size() == 0'],
  'map/2': [
    'many.map(a, many.map(b, a + b)).size() == 0',
    `${'[1]'}${'.map(x, [x, x, x, x, x, x, x, x, x, x])'.repeat(9)} == ${'[1]'}${'.map(x, [x, x, x, x, x, x, x, x, x, x])'.repeat(9)}`,
  ],
  'map/3': ['many.map(a, a > 0, x == y)'],
  'all/3': ['many.all(i, a, many.all(j, b, a + b + i + j > -1))'],
  'exists/3': ['many.exists(i, a, i < 0 || a < 0)'],
  'exists_one/3': ['many.exists_one(i, a, i == a)'],
  'existsOne/3': ['many.existsOne(i, a, i == a)'],
  'transformList/3': ['many.transformList(i, a, x)'],
  'transformList/4': ['many.transformList(i, a, a > 0, x)'],
  'transformMap/3': ['many.transformMap(i, a, x) == many.transformMap(i, a, y)'],
  'transformMap/4': ['many.transformMap(i, a, a > 0, x)'],
  'transformMapEntry/3': ['many.transformMapEntry(i, a, {string(i): x})'],
  'transformMapEntry/4': ['many.transformMapEntry(i, a, a > 0, m)'],
  'optMap/2': ['optional.of(x).optMap(v, v == y)'],
  'optFlatMap/2': ['optional.of(x).optFlatMap(v, optional.of(v == y))'],
  'sortBy/2': ['many.sortBy(a, 0 - a).size() == 0', 'texts.sortBy(a, a + a).size() == 0'],
}
const variables = {
  x: shared(texts.letters),
  y: shared(`${texts.letters.slice(1)}a`),
  m: sharedMap(),
  many: manyOf(BigInt),
  texts: manyOf(i => `${i}${texts.letters.slice(0, 10)}`),
}
const parts = [...table.filter(([, { run }]) => !run).map(([, { id }]) => id), ...Object.keys(macros)]
for (const part of parts)
  bounded(`${part}, in the evaluator`, () => {
    const cases = built[part]
    assert.ok(cases, `no case for ${part}`)
    for (const text of cases!) {
      const types = new Map<string, Type>(Object.keys(variables).map(name => [name, dynType]))
      const program = compileExpression(text, { variables: types })
      const ms = busyMs(() => void program.run(variables, work()))
      assert.ok(ms < maxMs, `${text} took ${Math.round(ms)} ms`)
    }
  })

bounded('a function that does not charge its work is stopped by the deadline at the next step', () => {
  const ms = busyMs(() => {
    const limited = new Work({ cost: 1e9, steps: 1e12, deadlineMs: 30 })
    const spin = () => {
      for (let sum = 0; ; ) {
        for (let i = 0; i < 100; i++) sum += Math.sqrt(sum + i)
        limited.steps(1)
      }
    }
    assert.throws(spin, (thrown: unknown) => thrown instanceof WorkExceeded)
    assert.is(limited.exceeded, 'deadline')
  })
  assert.ok(ms < maxMs)
})

bounded.run()

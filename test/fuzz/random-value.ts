import type { SeededRandom } from './seeded-random.js'
import type { Schema, ServedApi } from './served-api.js'

/** Few, so that requests affect objects of others. */
export const names = ['a', 'b', 'c', 'd', 'e', 'fuzz', 'default', 'target', 'system:x', 'a.b.example.com']
export const namespaces = ['fuzz', 'fuzz', 'fuzz', 'other', 'default', 'missing']

const texts = [
  '',
  'x',
  'a-b',
  'A_B',
  'true',
  '0',
  '-1',
  '80',
  '10Gi',
  '1e400',
  '100m',
  '.',
  '..',
  '../../etc/passwd',
  '/',
  '/a/b',
  '%2f',
  'é🐎',
  '\u0000',
  '\ud800',
  '\u202e',
  ' ',
  '\n',
  '"',
  '{}',
  '[object Object]',
  '__proto__',
  'constructor',
  'toString',
  '*',
  'Always',
  'None',
  'TCP',
  'ClusterIP',
  '10.0.0.1',
  '::1',
  '300.1.1.1',
  '10.0.0.0/8',
  'https://example.com/x',
  'registry.example.com/team/app:v1',
  'example.com/name',
  'a=b,c notin (d)',
  '2021-12-07T00:00:00Z',
  '9999-12-31T23:59:60+99:99',
  'aGVsbG8=',
  '{{ .Values.tag }}',
  '$(NAME)',
]
const integers = [
  0,
  1,
  -1,
  2,
  80,
  443,
  511,
  600,
  65535,
  65536,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  1e21,
  0.5,
]

/** Ordinary and unusual text. */
export function randomText(random: SeededRandom): string {
  const dice = random.fraction()
  if (dice < 0.45) return random.pick(names)
  if (dice < 0.9) return random.pick(texts)
  if (dice < 0.97) return random.text('abcAB01-._/: %éß🐎', random.between(1, 80))
  return random.pick(['a', 'a.', 'é', '-', '/', '(', '{', '1']).repeat(random.pick([64, 254, 1025, 5000]))
}

/** A value of any type. */
export function anyValue(random: SeededRandom): unknown {
  return random.pick<() => unknown>([
    () => null,
    () => randomText(random),
    () => random.pick(integers),
    () => random.fraction() < 0.5,
    () => [],
    () => ({}),
    () => [randomText(random)],
    () => ({ [randomText(random)]: randomText(random) }),
  ])()
}

const maxDepth = 7

/** A value that mostly matches a schema. */
export function fittingValue(random: SeededRandom, api: ServedApi, reference: Schema, depth = 0): unknown {
  if (random.fraction() < 0.02) return anyValue(random)
  const schema = api.resolve(reference)
  if (schema.enum && random.fraction() < 0.9) return random.pick(schema.enum)
  switch (schema.type) {
    case 'boolean':
      return random.fraction() < 0.5
    case 'integer':
      return random.pick(integers)
    case 'number':
      return random.pick([...integers, 1.5, -0.25])
    case 'array':
      return listOf(random, api, schema, depth)
    case 'object':
      return schema.properties ? structOf(random, api, schema, depth) : mapOf(random, api, schema, depth)
    case 'string':
      return textOf(random, schema)
    default:
      return anyValue(random)
  }
}

function textOf(random: SeededRandom, { format }: Schema): unknown {
  if (format === 'byte' && random.fraction() < 0.8) return random.bytes(random.between(0, 20)).toString('base64')
  if (format === 'date-time' && random.fraction() < 0.8) return '2021-12-07T01:02:03Z'
  if (format === 'int-or-string' && random.fraction() < 0.5) return random.pick(integers)
  return randomText(random)
}

function listOf(random: SeededRandom, api: ServedApi, { items = {} }: Schema, depth: number): unknown[] {
  if (depth >= maxDepth) return []
  const length = random.fraction() < 0.02 ? 40 : random.between(0, 2)
  return Array.from({ length }, () => fittingValue(random, api, items, depth + 1))
}

function structOf(random: SeededRandom, api: ServedApi, schema: Schema, depth: number): object {
  const { properties = {}, required = [] } = schema
  const entries: [string, unknown][] = []
  const share = [1, 0.5, 0.3, 0.2, 0.15, 0.1, 0.05][depth] ?? 0
  for (const [name, of] of Object.entries(properties)) {
    const isWanted = random.fraction() < (required.includes(name) ? 0.97 : share)
    if (isWanted && depth < maxDepth) entries.push([name, fittingValue(random, api, of, depth + 1)])
  }
  if (random.fraction() < 0.03) entries.push([randomText(random), anyValue(random)])
  return Object.fromEntries(entries)
}

function mapOf(random: SeededRandom, api: ServedApi, { additionalProperties }: Schema, depth: number): object {
  if (depth >= maxDepth) return {}
  const of = additionalProperties ?? { type: 'string' }
  const entries = Array.from({ length: random.between(0, 2) }, (): [string, unknown] => [
    randomText(random),
    fittingValue(random, api, of, depth + 1),
  ])
  return Object.fromEntries(entries)
}

import type { SeededRandom } from '../fuzz/seeded-random.js'
import type { Schema } from '../fuzz/served-api.js'

const long = (length: number) => 'a'.repeat(length)

const texts = [
  '', 'a', 'A', '0', 'a-b', '-a', 'a-', 'a.b', 'a..b', 'a_b', 'a b', 'a/b', '/a', '/a/../b', 'a:b', 'é', 'a.b/c', 'A_B',
  'example.com/a', 'None', 'Odd', 'TCP', '10.0.0.9', '300.0.0.1', '::1', '10.0.0.0/8', 'true', '80', '*', '*.example.com',
  long(15), long(16), long(63), long(64), long(253), long(254),
] // biome-ignore format: a table
const integers = [0, 1, -1, 2, 10, 100, 101, 3600, 65535, 65536, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), 2 ** 53 - 1]
const quantities = [
  '0',
  '1',
  '-1',
  '1m',
  '100m',
  '0.5',
  '1.5Gi',
  '1e3',
  '1000m',
  '1Ei',
  '1024',
  '0.1m',
  'x',
  '',
  '1 Gi',
  2,
]
const times = [
  '2024-02-29T23:59:59Z',
  '2024-02-29T23:59:59.123456Z',
  '2030-01-01T00:00:00+02:00',
  '2024-01-01',
  '',
  null,
]
const durations = ['1s', '1h30m', '-1s', '0s', 'x', '']
const bytes = ['', 'aGVsbG8=', 'aGVsbG8', '!', 'AA==']
const intOrTexts = [0, 1, 80, -1, 65536, 'http', '80', '50%', '0%', '100%', '101%', '-1%', '', long(16)]
const labelKeys = ['a', 'run', 'example.com/a', 'app', '', 'a b', '-a', 'a/b/c', long(64), 'é', 'A.b_c-D']

/** Limits of a schema that OpenAPI states and `Schema` of the fuzzer does not need. */
interface Limits {
  readonly minimum?: number
  readonly maximum?: number
}

/** A value of a field's type, at or beyond the edges of what its schema allows. */
export function edgeValue(random: SeededRandom, reference: Schema, schema: Schema): unknown {
  if (schema.enum && random.fraction() < 0.8) return random.pick(schema.enum)
  const name = reference.$ref ?? ''
  if (/\.Quantity$/.test(name)) return random.pick(quantities)
  if (/\.Duration$/.test(name)) return random.pick(durations)
  switch (schema.type) {
    case 'boolean':
      return random.fraction() < 0.5
    case 'integer':
    case 'number':
      return random.pick([...integers, ...limitsOf(schema as Limits)])
    case 'string':
      return random.pick(textsOf(schema.format))
    default:
      return wrongValue(random)
  }
}

const limitsOf = ({ minimum, maximum }: Limits): number[] =>
  [minimum, maximum].flatMap(limit => (limit === undefined ? [] : [limit - 1, limit, limit + 1]))

function textsOf(format: string | undefined): readonly unknown[] {
  switch (format) {
    case 'int-or-string':
      return intOrTexts
    case 'date-time':
      return times
    case 'byte':
      return bytes
    default:
      return texts
  }
}

/** A value of any type, usually a wrong one. */
export const wrongValue = (random: SeededRandom): unknown =>
  random.pick<unknown>([null, '', 'a', 0, -1, 1.5, true, [], {}, ['a'], { a: 'b' }, [null], [{}]])

export const edgeText = (random: SeededRandom): string => random.pick(texts)
export const edgeKey = (random: SeededRandom): string => random.pick(labelKeys)

import { notOnTheWire } from 'orch/sdk/host'
import type { FieldNode, ScalarKind, StructNode, TypeNode } from './type-model.js'

/** A source of numbers in [0, 1) that gives the same sequence for the same seed. */
export type Random = () => number

export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * A random object of a type, as a client might send it: fields are set at random, values are of the right type and sometimes
 * empty or null, quantities and times are not always canonical. Enums and ranges of the schema are respected; rules of a
 * strategy are not.
 */
export function randomObject(node: StructNode, random: Random, depth = 0): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  // Deep and wide types would explode: the deeper, the fewer fields.
  const share = depth === 0 ? 0.9 : depth < 3 ? 0.6 : depth < 6 ? 0.3 : 0
  for (const field of node.fields.values()) {
    // Protobuf does not carry it: the server fills it.
    if (field.proto === notOnTheWire) continue
    if (random() < share || (field.required && depth < 8)) object[field.name] = randomField(field, random, depth)
  }
  return object
}

function randomField({ node, schema, required }: FieldNode, random: Random, depth: number): unknown {
  if (!required && random() < 0.05) return null
  const options = schema['enum'] as unknown[] | undefined
  return options ? pick(random, options) : randomValue(node, random, depth)
}

function randomValue(node: TypeNode, random: Random, depth: number): unknown {
  switch (node.is) {
    case 'struct':
      return randomObject(node, random, depth + 1)
    case 'list':
      return Array.from({ length: size(random, depth) }, () => randomValue(node.item, random, depth + 1))
    case 'map': {
      const keys = Array.from({ length: size(random, depth) }, () => pick(random, keySamples))
      return Object.fromEntries(keys.map(key => [key, randomValue(node.value, random, depth + 1)]))
    }
    case 'scalar':
      return randomScalar(node.scalar, node.schema, random)
    case 'unstructured':
      return randomJsonObject(random)
  }
}

const size = (random: Random, depth: number): number => Math.floor(random() * (depth > 4 ? 2 : 4))
const pick = <T>(random: Random, options: readonly T[]): T => options[Math.floor(random() * options.length)]!

const keySamples = ['a', 'b.example.com/key', 'kéy', '__proto__', 'z-9', 'constructor', '']
const textSamples = ['', 'x', 'some text', 'ünï-cödé 😀', 'line\nbreak "quoted" \\ \u0000', 'a'.repeat(200)]
const quantitySamples = ['0', '1', '500m', '1.5Gi', '1024Mi', '12e6', '1n', '-3k', '+5', '99999999999999999999', '0.1']
const timeSamples = [
  '2024-02-29T23:59:59Z',
  '1969-12-31T23:59:59Z',
  '0001-01-01T00:00:00Z',
  '2030-01-01T00:00:00.5+02:00',
]
const microTimeSamples = [
  '2024-02-29T23:59:59.123456Z',
  '1969-12-31T23:59:59.999999Z',
  '2030-01-01T00:00:00.000000-07:00',
]
const doubleSamples = [0, -0.5, 1e300, 2.75, 5e-324]

function randomScalar(kind: ScalarKind, schema: Record<string, unknown>, random: Random): unknown {
  switch (kind) {
    case 'string':
      return pick(random, textSamples)
    case 'boolean':
      return random() < 0.5
    case 'int32':
      return randomInteger(schema, random, 2 ** 31 - 1)
    case 'int64':
      return randomInteger(schema, random, Number.MAX_SAFE_INTEGER)
    case 'double':
      return pick(random, doubleSamples)
    case 'bytes':
      return Buffer.from(Array.from({ length: size(random, 0) }, () => Math.floor(random() * 256))).toString('base64')
    case 'time':
      return pick(random, timeSamples)
    case 'microTime':
      return pick(random, microTimeSamples)
    case 'quantity':
      return pick(random, quantitySamples)
    case 'intOrString':
      return random() < 0.5 ? pick(random, ['', 'http', '80%']) : randomInteger(schema, random, 2 ** 31 - 1)
    case 'raw':
      return pick(random, (schema['examples'] as unknown[] | undefined) ?? anything(random))
  }
}

function randomInteger(schema: Record<string, unknown>, random: Random, limit: number): number {
  const least = Number(schema['minimum'] ?? -limit - 1)
  const most = Number(schema['maximum'] ?? limit)
  const options = [0, 1, -1, 127, 128, 300, least, most, Math.floor(random() * 2 ** 31)]
  return pick(
    random,
    options.filter(value => value >= Math.max(least, Number.MIN_SAFE_INTEGER) && value <= most),
  )
}

const anything = (random: Random): unknown[] => [true, 0, 'text', [], [1, null], randomJsonObject(random)]
const randomJsonObject = (random: Random): Record<string, unknown> =>
  pick(random, [{}, { 'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } } }, { list: [1, { deep: null }], text: 'é' }])

import { kubernetesProfile, Vendor } from 'orch/sdk'
import { maxObjectItems } from '../../kernel/schema/decode-problem.js'
import { validateSpecInTurn } from '../../plugins/custom-resources/definitions/validate-definition.js'
import { featuresOf } from '../../plugins/custom-resources/features.js'
import { customResourceNames } from '../../plugins/custom-resources/names.js'
import { ValidationThread } from '../../plugins/custom-resources/schemas/validation-thread.js'
import { typeOf } from '../../plugins/custom-resources/serving/type-source.js'
import { watchEventLoop } from '../support/event-loop-holds.js'
import { SeededRandom } from './seeded-random.js'

export interface SchemaFuzzReport {
  readonly schemas: number
  readonly accepted: number
  readonly refused: number
  readonly objects: number
  readonly validObjects: number
  /** The longest that a schema or an object held the event loop, in milliseconds of CPU time. */
  readonly longestHoldMs: number
  readonly failures: readonly string[]
}

/** No schema and no object may hold the event loop longer. */
const longestHoldMs = 200
const failuresShown = 20
const objectsPerSchema = 3

const vendor = new Vendor(kubernetesProfile)
const names = customResourceNames(vendor)
const features = featuresOf(vendor, () => true)
const { keywords } = names

/**
 * Random schemas with objects that are expensive for them: long texts for patterns, many items for branches, empty items for
 * defaults, deep nesting. Each is processed like a definition and an object, while the event loop is measured.
 */
export async function fuzzSchemas(
  schemas: number,
  seed: number,
  progress: (text: string) => void = () => {},
): Promise<SchemaFuzzReport> {
  const thread = new ValidationThread({ maxWork: 2_000_000, maxCpuMs: 2_000 })
  const report = { schemas, accepted: 0, refused: 0, objects: 0, validObjects: 0, longestHoldMs: 0 }
  const failures: string[] = []
  const measured = async <T>(what: string, run: () => T | Promise<T>): Promise<T | undefined> => {
    const stop = watchEventLoop()
    try {
      return await run()
    } catch (error) {
      // Rejections have a code; any other error is a failure of the server.
      const { code } = error as { code?: unknown }
      if (typeof code !== 'number' || code >= 500) failures.push(`${what}: ${(error as Error).stack}`)
      return undefined
    } finally {
      const holdMs = stop().longestMs
      report.longestHoldMs = Math.max(report.longestHoldMs, holdMs)
      if (holdMs > longestHoldMs) failures.push(`${what}: held the event loop for ${Math.round(holdMs)} ms`)
    }
  }
  try {
    for (let index = 0; index < schemas && failures.length < failuresShown; index++) {
      const place = `seed ${seed}, schema ${index}`
      const random = new SeededRandom(seed + index)
      const spec = schemaWithin(random)
      const definition = definitionWith(spec)
      const errors = await measured(place, () =>
        validateSpecInTurn(definition.spec as never, { names, features }, thread),
      )
      if (errors === undefined || errors.length > 0) {
        report.refused++
        continue
      }
      report.accepted++
      const type = typeOf(definition as never, names, features, undefined as never, () => false, thread)
      const [version] = type.versions
      for (let at = 0; at < objectsPerSchema; at++) {
        const sent = { metadata: { name: 'x' }, spec: hostileValue(random, spec, random.pick([10, 300, 5_000])) }
        // The server rejects larger bodies before it uses the schema.
        if (!fitsInRequest(sent)) continue
        report.objects++
        const found = await measured(`${place}, object ${at}`, () => {
          const object = { metadata: sent.metadata, ...version!.values!.prune(sent, undefined) }
          version!.values!.fillDefaults(object as never)
          return type.strategy!.validate!(object as never, { requestVersion: 'v1' } as never)
        })
        if (found?.length === 0) report.validObjects++
      }
      if ((index + 1) % 1000 === 0)
        progress(
          `${index + 1} of ${schemas} schemas, ${report.accepted} accepted, longest hold ${report.longestHoldMs.toFixed(0)} ms`,
        )
    }
  } finally {
    await thread.close()
  }
  return { ...report, failures }
}

/** Runs the mode with a report. Returns the exit code. */
export async function runSchemas(schemas: number, seed: number): Promise<number> {
  console.log(`${schemas} random schemas: repeat with --seed ${seed}`)
  const report = await fuzzSchemas(schemas, seed, text => console.log(text))
  for (const failure of report.failures) console.log(failure)
  const { accepted, refused, objects, validObjects, longestHoldMs: held } = report
  console.log(`${accepted} accepted, ${refused} refused; ${objects} objects, ${validObjects} of them valid`)
  console.log(`the event loop was held for ${held.toFixed(0)} ms of CPU time at most`)
  console.log(`${report.failures.length} failures`)
  return report.failures.length === 0 ? 0 : 1
}

const definitionWith = (spec: object) => ({
  metadata: { name: 'things.fuzz.test' },
  spec: {
    group: 'fuzz.test',
    scope: 'Cluster',
    names: { plural: 'things', kind: 'Thing', singular: 'thing', listKind: 'ThingList' },
    conversion: { strategy: 'None' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
      },
    ],
  },
  status: {
    acceptedNames: { plural: 'things', kind: 'Thing' },
    storedVersions: ['v1'],
    conditions: [{ type: 'Established', status: 'True' }],
  },
})

const maxBodyBytes = 3 * 1024 * 1024

function fitsInRequest(sent: unknown): boolean {
  let left = maxObjectItems
  const fits = (value: unknown): boolean =>
    typeof value !== 'object' || value === null || Object.values(value).every(each => left-- > 0 && fits(each))
  return fits(sent) && Buffer.byteLength(JSON.stringify(sent)) <= maxBodyBytes
}

type Schema = Record<string, unknown>
const patterns = [
  '^(.*a){N}$',
  '[a-q][^u-z]{N}x',
  '^(a|b|ab)*{N}$',
  '(x+x+)+y',
  '^[a-z]+$',
  '(.*)*b{N}',
  '\\pL{1,N}',
  '(',
]
const formats = [
  'duration',
  'date-time',
  'uri',
  'email',
  'ipv6',
  'cidr',
  'byte',
  'uuid',
  'isbn',
  'creditcard',
  'hostname',
]
const pattern = (random: SeededRandom) => random.pick(patterns).replace('N', String(random.pick([1, 3, 30, 300, 1000])))

/** A schema that fits in a request. Most are small, so that many can be tried. */
function schemaWithin(random: SeededRandom): Schema {
  const maxLength = random.pick([2_000, 20_000, 20_000, 200_000])
  for (let attempt = 0; attempt < 20; attempt++) {
    const schema = randomSchema(random, random.between(1, 4))
    if (JSON.stringify(schema).length <= maxLength) return schema
  }
  return randomSchema(random, 0)
}

function randomSchema(random: SeededRandom, depth: number): Schema {
  const type = random.pick(
    depth === 0 ? ['string', 'integer'] : ['object', 'object', 'array', 'string', 'integer', 'map'],
  )
  const schema: Schema = { type: type === 'map' ? 'object' : type, ...limits(random, type) }
  if (type === 'array') {
    schema['items'] = randomSchema(random, depth - 1)
    if (random.fraction() < 0.2) schema[keywords.listType] = random.pick(['set', 'map', 'atomic'])
  } else if (type === 'map') schema['additionalProperties'] = randomSchema(random, depth - 1)
  else if (type === 'object') {
    const count = random.pick([1, 3, 10, depth > 2 ? 3 : 300])
    schema['properties'] = Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`f${at}`, randomSchema(random, count > 20 ? 0 : depth - 1)]),
    )
    if (random.fraction() < 0.3) schema['required'] = Array.from({ length: count }, (_, at) => `f${at}`)
  }
  if (random.fraction() < 0.3)
    schema[random.pick(['anyOf', 'oneOf', 'allOf'])] = Array.from({ length: random.pick([1, 2, 5, 5, 50, 500]) }, () =>
      limits(random, type),
    )
  if (random.fraction() < 0.1) schema['not'] = limits(random, type)
  return schema
}

/** Keywords that narrow a value of a type. */
function limits(random: SeededRandom, type: string): Schema {
  const may = (chance: number, keywordsOf: () => Schema) => (random.fraction() < chance ? keywordsOf() : {})
  switch (type) {
    case 'string':
      return {
        ...may(0.4, () => ({ pattern: pattern(random) })),
        ...may(0.3, () => ({ maxLength: random.pick([1, 100, 100_000]) })),
        ...may(0.2, () => ({ format: random.pick(formats) })),
        ...may(0.2, () => ({ enum: Array.from({ length: random.pick([1, 10, 10, 1000]) }, (_, at) => `e${at}`) })),
      }
    case 'integer':
      return { ...may(0.5, () => ({ minimum: random.between(0, 9) })), ...may(0.3, () => ({ multipleOf: 7 })) }
    case 'array':
      return may(0.3, () => ({ maxItems: random.pick([10, 1000, 1_000_000]) }))
    default:
      return may(0.3, () => ({ maxProperties: random.pick([10, 1000, 1_000_000]) }))
  }
}

/** A value of about this many parts that matches the schema, or violates it badly. */
function hostileValue(random: SeededRandom, schema: Schema, parts: number): unknown {
  if (random.fraction() < 0.03) return random.pick<unknown>([null, 1, '', [], {}, true])
  switch (schema['type']) {
    case 'string':
      return random.pick(['a', 'ab', 'x', '1', '1h', 'é', 'e1', '\u{1F600}']).repeat(random.pick([0, 1, parts]))
    case 'integer':
      return random.pick([0, 1, 7, -1, 1.5, 1e300])
    case 'array': {
      const item = hostileValue(random, schema['items'] as Schema, Math.min(parts, 100))
      return new Array(random.pick([0, 1, parts])).fill(item)
    }
    default: {
      const fields = schema['properties'] as Record<string, Schema> | undefined
      if (fields)
        return Object.fromEntries(
          Object.entries(fields)
            .filter(() => random.fraction() < 0.8)
            .map(([name, field]) => [name, hostileValue(random, field, Math.min(parts, 500))]),
        )
      const value = hostileValue(random, schema['additionalProperties'] as Schema, Math.min(parts, 100))
      return Object.fromEntries(Array.from({ length: random.pick([0, 1, parts]) }, (_, at) => [`k${at}`, value]))
    }
  }
}

import { kubernetesProfile, type TSchema, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readSchema } from '../../../libs/json-schema/index.js'
import { jsonSchemaType } from '../definitions/json-schema.js'
import { validateWorstCase } from '../definitions/validate-worst-case.js'
import { customResourceNames } from '../names.js'
import { StructuralSchema } from './structural-schema.js'
import { Work, WorkExceeded } from './work.js'

const { keywords } = customResourceNames(new Vendor(kubernetesProfile))

/** Schemas and objects by which a keyword is as much work as it can be, as a schema of `spec` and its value. */
interface Worst {
  readonly schema: object
  readonly value: unknown
}
const many = 5_000
const listOf = (items: object, item: unknown): Worst => ({
  schema: { type: 'array', items },
  value: new Array(many).fill(item),
})
const long = 'ab'.repeat(20_000)
const branches = Array.from({ length: 100 }, (_, at) => ({ minimum: at + 1, maximum: at + 1 }))

const costly: Readonly<Record<string, Worst>> = {
  type: listOf({ type: 'string' }, 1),
  format: listOf({ type: 'string', format: 'duration' }, '1s'.repeat(200)),
  maximum: listOf({ type: 'integer', maximum: 1 }, 1),
  minimum: listOf({ type: 'integer', minimum: 1 }, 1),
  exclusiveMaximum: listOf({ type: 'integer', maximum: 1, exclusiveMaximum: true }, 0),
  exclusiveMinimum: listOf({ type: 'integer', minimum: 1, exclusiveMinimum: true }, 2),
  multipleOf: listOf({ type: 'integer', multipleOf: 3 }, 3),
  maxLength: listOf({ type: 'string', maxLength: 1000 }, 'x'.repeat(500)),
  minLength: listOf({ type: 'string', minLength: 1 }, 'x'.repeat(500)),
  pattern: { schema: { type: 'string', pattern: '^(.*a){20}$' }, value: long },
  maxItems: listOf({ type: 'array', maxItems: 1, items: {} }, []),
  minItems: listOf({ type: 'array', minItems: 0, items: {} }, []),
  maxProperties: listOf({ type: 'object', maxProperties: 1 }, {}),
  minProperties: listOf({ type: 'object', minProperties: 0 }, {}),
  enum: listOf({ type: 'object', enum: [{ a: 1 }] }, { a: 1 }),
  required: listOf({ type: 'object', required: ['a', 'b'] }, { a: 1, b: 1 }),
  items: listOf({ type: 'integer' }, 1),
  properties: listOf({ type: 'object', properties: { a: { type: 'integer' } } }, { a: 1 }),
  additionalProperties: listOf({ type: 'object', additionalProperties: { type: 'integer' } }, { a: 1, b: 2 }),
  allOf: listOf({ type: 'integer', allOf: branches.map(() => ({ minimum: 0 })) }, 1),
  anyOf: listOf({ type: 'integer', anyOf: branches }, 100),
  oneOf: listOf({ type: 'integer', oneOf: branches }, 1),
  not: listOf({ type: 'integer', not: { anyOf: branches } }, 0),
  nullable: listOf({ type: 'integer', nullable: true }, null),
  [keywords.embeddedResource]: listOf(
    { type: 'object', [keywords.embeddedResource]: true, [keywords.preserveUnknownFields]: true },
    { apiVersion: 'v1', kind: 'X' },
  ),
  [keywords.intOrString]: listOf({ [keywords.intOrString]: true }, 1),
  [keywords.listType]: {
    schema: { type: 'array', [keywords.listType]: 'set', items: { type: 'string' } },
    value: Array.from({ length: many }, (_, at) => `item ${at}`),
  },
  [keywords.listMapKeys]: {
    schema: {
      type: 'array',
      [keywords.listType]: 'map',
      [keywords.listMapKeys]: ['k'],
      items: { type: 'object', required: ['k'], properties: { k: { type: 'integer' } } },
    },
    value: Array.from({ length: many }, (_, at) => ({ k: at })),
  },
}

/** Keywords that take no part in the validation of an object, and why. */
const free: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['id', '$ref', 'patternProperties', 'dependencies', 'additionalItems', 'definitions', 'uniqueItems'].map(key => [
      key,
      'rejected in definitions',
    ]),
  ),
  $schema: 'rejected in definitions',
  ...Object.fromEntries(
    ['description', 'title', 'externalDocs', 'example'].map(key => [key, 'documentation, never evaluated']),
  ),
  default: 'filled in before, bounded by what is added: see fill-defaults',
  [keywords.preserveUnknownFields]: 'preserved fields have no schema',
  [keywords.mapType]: 'for merging only',
  [keywords.validations]: 'rules in CEL have a budget of their own',
}

const costs = suite('the work of keywords')

costs('is known for every keyword of schemas', () => {
  const type = jsonSchemaType(keywords) as TSchema & { readonly properties: object }
  const known = new Set([...Object.keys(costly), ...Object.keys(free)])
  assert.equal(
    Object.keys(type.properties).filter(key => !known.has(key)),
    [],
    'add the worst case of the keyword to this file, or why it has none',
  )
})

const maxTries = 40
/** In microseconds. */
const cpuTimeOf = (run: () => void): number => {
  const before = process.cpuUsage()
  run()
  return process.cpuUsage(before).user
}

const options = { typedReasons: true, numberFormats: true, nameFormats: true }
const compiledOf = (schema: object) =>
  new StructuralSchema(readSchema({ type: 'object', properties: { spec: schema } }, keywords), keywords, options)

for (const [keyword, { schema, value }] of Object.entries(costly))
  costs(`is charged for ${keyword}, before it is done and by what it is`, () => {
    const object = { spec: value }
    const structure = compiledOf(schema)
    const work = new CountingWork(Number.MAX_SAFE_INTEGER)
    structure.validate(object, { work })
    // A unit is 25 ns at worst; four times as much allows for a busy machine and code that is not optimized yet.
    const allowed = 5_000 + work.charged * 0.1
    // The best of several: other work on the machine takes its share of the processor's caches, too.
    let best = Number.POSITIVE_INFINITY
    for (let tries = 0; tries < maxTries && best >= allowed; tries++)
      best = Math.min(
        best,
        cpuTimeOf(() => structure.validate(object, { work: new Work(Number.MAX_SAFE_INTEGER) })),
      )
    assert.ok(best < allowed, `${best} µs for ${work.charged} units`)
    const limit = Math.floor(work.charged / 2)
    assert.throws(
      () => structure.validate(object, { work: new Work(limit) }),
      (error: unknown) => error instanceof WorkExceeded && error.field.startsWith('spec') && error.limit === limit,
    )
  })

for (const [keyword, { schema, value }] of Object.entries(costly))
  costs(`of ${keyword} is in the worst case that admits a definition`, () => {
    const work = new CountingWork(Number.MAX_SAFE_INTEGER)
    compiledOf(schema).validate({ spec: value }, { work })
    const node = readSchema({ type: 'object', properties: { spec: schema } }, keywords)
    // Ten times the limit is tolerated, so a limit of a tenth of the work must be refused for an object of this size or a larger one.
    assert.is(validateWorstCase(node, 'schema', work.charged / 11).length, 1)
  })

class CountingWork extends Work {
  charged = 0
  override charge(units: number, path: string): void {
    this.charged += units
    super.charge(units, path)
  }
}

costs.run()

import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateObjects } from './generate-objects.js'
import { invalidNeighbours } from './invalid-neighbours.js'
import { matchesSchema } from './matches-schema.js'
import { SeededChoices } from './seeded-choices.js'
import { textForPattern } from './text-for-pattern.js'

const schema = {
  type: 'object',
  required: ['spec'],
  properties: {
    metadata: { type: 'object' },
    spec: {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string', minLength: 2, maxLength: 8, pattern: '^[a-z][a-z0-9-]*$' },
        size: { type: 'integer', minimum: 1, maximum: 9 },
        level: { type: 'string', enum: ['low', 'high'] },
        a: { type: 'string' },
        b: { type: 'string' },
        keys: { type: 'array', items: { type: 'string' }, 'x-acme-list-type': 'set', minItems: 2 },
      },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    },
  },
}

const generated = suite('generated objects')

generated('are valid, whatever their size, and the same for the same seed', () => {
  const make = () => {
    const generator = generateObjects(schema, { seed: 7 })
    return [generator.smallest(), generator.largest(), ...Array.from({ length: 50 }, () => generator.random())]
  }
  const objects = make()
  assert.equal(make(), objects)
  for (const object of objects) assert.ok(object && matchesSchema(object, schema), JSON.stringify(object))
  assert.equal(Object.keys(objects[0]!['spec'] as object).sort().length, 2)
})

generated('have neighbours with exactly one error', () => {
  const object = generateObjects(schema, { seed: 7 }).largest()!
  const neighbours = invalidNeighbours(schema, object, 50)
  assert.ok(neighbours.length > 8)
  for (const { why, object: neighbour } of neighbours) assert.not.ok(matchesSchema(neighbour, schema), why)
})

generated('are undefined if none can be generated', () => {
  assert.is(generateObjects({ type: 'object', not: {} }).smallest(), undefined)
})

const patterns = [
  '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?[0-9]+))?$',
  '^((25[0-5]|2[0-4]\\d|1\\d{2}|[1-9]?\\d)\\.){3}(25[0-5]|2[0-4]\\d|1\\d{2}|[1-9]?\\d)$',
  '^[^/\\s]+(/[^/\\s]+){0,3}$',
  '^(?:a|bc){2,3}\\w\\W[[:digit:]]$',
]
for (const pattern of patterns)
  generated(`have texts for ${pattern}`, () => {
    const choices = new SeededChoices(3)
    for (let time = 0; time < 50; time++) assert.match(textForPattern(pattern, choices) ?? '', patternOf(pattern))
  })
/** Names of classes are RE2's own. */
const patternOf = (pattern: string) => new RegExp(pattern.replaceAll('[[:digit:]]', '\\d'))

generated.run()

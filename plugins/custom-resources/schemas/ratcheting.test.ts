import { kubernetesProfile, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readSchema } from '../../../libs/json-schema/index.js'
import { customResourceNames } from '../names.js'
import { languageOfStoredRules } from '../rules/language.js'
import { compileRunRules } from '../rules/run-rules.js'
import { StructuralSchema } from './structural-schema.js'

const { keywords } = customResourceNames(new Vendor(kubernetesProfile))
const source = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        name: { type: 'string', maxLength: 3 },
        other: { type: 'integer' },
        list: { type: 'array', items: { type: 'string', maxLength: 3 } },
        ports: {
          type: 'array',
          [keywords.listType]: 'map',
          [keywords.listMapKeys]: ['name'],
          items: { type: 'object', properties: { name: { type: 'string' }, port: { type: 'integer', maximum: 10 } } },
        },
        even: { type: 'integer', [keywords.validations]: [{ rule: 'self % 2 == 0', message: 'must be even' }] },
      },
    },
  },
}
const schema = readSchema(source, keywords)
const structure = new StructuralSchema(schema, keywords, { typedReasons: true, numberFormats: true, nameFormats: true })
const errorsOf = (spec: object, before: object) => {
  const [object, stored] = [{ spec }, { spec: before }]
  return structure
    .validate(object, { before: stored, correlation: structure.correlate(object, stored) })
    .map(({ field }) => field)
}

const ratcheting = suite('unchanged values')

ratcheting('may remain invalid, but changed values may not', () => {
  assert.equal(errorsOf({ name: 'long', other: 1 }, { name: 'long' }), [])
  assert.equal(errorsOf({ name: 'longer' }, { name: 'long' }), ['spec.name'])
  assert.equal(errorsOf({ name: 'long' }, {}), ['spec.name'])
})

ratcheting('are found by their key in lists of type map; other lists are compared as a whole', () => {
  const before = {
    ports: [
      { name: 'a', port: 11 },
      { name: 'b', port: 12 },
    ],
    list: ['long'],
  }
  assert.equal(errorsOf({ ...before, ports: [...before.ports].reverse() }, before), [])
  assert.equal(
    errorsOf(
      {
        ...before,
        ports: [
          { name: 'b', port: 12 },
          { name: 'a', port: 13 },
        ],
      },
      before,
    ),
    ['spec.ports[1].port'],
  )
  assert.equal(errorsOf({ ...before, other: 1 }, before), [])
  assert.equal(errorsOf({ ...before, list: ['long', 'x'] }, before), ['spec.list[0]'])
})

ratcheting('that violate a rule cause only a warning', async () => {
  const run = compileRunRules(schema, languageOfStoredRules({ untypedHidden: true }))!
  const warnings: string[] = []
  const broken = (spec: object, before: object) => {
    const [object, stored] = [{ spec }, { spec: before }]
    return run(object, stored, { correlation: structure.correlate(object, stored), warn: text => warnings.push(text) })
  }
  // Expensive rules run in slices, so the result may be asynchronous.
  assert.equal(await broken({ even: 1, other: 1 }, { even: 1 }), [])
  assert.equal(warnings, ['spec.even: Invalid value: 1: must be even'])
  assert.is((await broken({ even: 3 }, { even: 1 })).length, 1)
})

ratcheting.run()

import { kubernetesProfile, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readSchema } from '../../../libs/json-schema/index.js'
import { customResourceNames } from '../names.js'
import { languageOfStoredRules } from '../rules/language.js'
import { compileRunRules } from '../rules/run-rules.js'
import { Work } from '../schemas/work.js'
import { validateDefaults } from './validate-defaults.js'

const { keywords } = customResourceNames(new Vendor(kubernetesProfile))
const language = languageOfStoredRules({ untypedHidden: true })

function errorsOf(properties: object, runsWithoutOld = true): string[] {
  const schema = readSchema({ type: 'object', properties }, keywords)
  const options = { typedReasons: true, numberFormats: true, nameFormats: true }
  return validateDefaults(schema, '', {
    work: new Work(1_000_000),
    options,
    compileRules: (each, isRoot) => compileRunRules(each, language, isRoot),
    runsWithoutOld,
  }).map(({ type, field }) => `${type.replace('FieldValue', '')} ${field}`)
}
const text = (value: unknown, ...rules: object[]) => ({ type: 'string', default: value, [keywords.validations]: rules })
const embedded = { type: 'object', [keywords.embeddedResource]: true, [keywords.preserveUnknownFields]: true }

const defaults = suite('defaults')

const cases: Readonly<Record<string, readonly [properties: object, errors: readonly string[]]>> = {
  'satisfy rules of changes as if they were the old value': [{ a: text('x', { rule: 'self == oldSelf' }) }, []],
  'are reported if a change to themselves is not allowed': [
    { a: text('x', { rule: 'self != oldSelf' }) },
    ['Invalid .properties[a].default'],
  ],
  'are valid new values': [
    { a: text('x', { rule: 'oldSelf.hasValue()', optionalOldSelf: true }) },
    ['Invalid .properties[a].default'],
  ],
  'of metadata make a valid object': [
    { metadata: { type: 'object', properties: { name: text('a/b'), namespace: text('fine') } } },
    ['Invalid .properties[metadata].properties[name].default'],
  ],
  'of the kind make a valid object': [
    { kind: text('-'), apiVersion: text('v1') },
    ['Invalid .properties[kind].default'],
  ],
  'of embedded metadata make a valid object': [
    { template: { ...embedded, properties: { metadata: { type: 'object', default: { labels: { a: 1 } } } } } },
    ['Invalid .properties[template].properties[metadata].default'],
  ],
  'of metadata may have fields that the schema does not specify': [
    { metadata: { type: 'object', default: { labels: { a: 'b' } } } },
    [],
  ],
  'of other fields may not': [{ a: { type: 'object', default: { b: 1 } } }, ['Invalid .properties[a].default']],
  'with invalid objects are not validated further': [
    { template: { ...embedded, required: ['spec'], default: { apiVersion: 'v1' } } },
    ['Required .properties[template].default.kind'],
  ],
  'may not have objects with values of the wrong type': [
    { list: { type: 'array', items: embedded, default: [{ apiVersion: 'v1', kind: 1 }] } },
    ['Invalid .properties[list].default[0].kind'],
  ],
  'with unknown fields are checked by rules all the same': [
    { a: { type: 'object', default: { b: 1 }, [keywords.validations]: [{ rule: 'false' }] } },
    ['Invalid .properties[a].default', 'Invalid .properties[a].default'],
  ],
}
for (const [title, [properties, errors]] of Object.entries(cases))
  defaults(title, () => assert.equal(errorsOf(properties), errors))

defaults('are new values only where rules can take the old value as optional', () => {
  const rule = { rule: 'oldSelf.hasValue()', optionalOldSelf: true }
  assert.equal(errorsOf({ a: text('x', rule) }, false), [])
})

defaults.run()

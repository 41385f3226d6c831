import { kubernetesProfile, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { featuresOf } from '../features.js'
import { customResourceNames } from '../names.js'
import { finish } from '../schemas/turns.js'
import { Work } from '../schemas/work.js'
import type { DefinitionVersion } from './schema.js'
import { noRules, validateVersionParts } from './validate-version-parts.js'

const vendor = new Vendor(kubernetesProfile)
const names = customResourceNames(vendor)
const { preserveUnknownFields } = names.keywords
const errorsOf = (...versions: readonly Partial<DefinitionVersion>[]) =>
  finish(
    validateVersionParts(
      versions.map((version, i) => ({ name: `v${i}`, served: true, storage: i === 0, ...version })),
      {
        names,
        features: featuresOf(vendor, () => true),
        checkRules: noRules,
        work: new Work(1_000_000),
        maxWork: 1_000_000,
      },
    ),
  ).map(({ type, field }) => `${type.replace('FieldValue', '')} ${field}`)
const schema = (fields: object = {}) => ({ openAPIV3Schema: { type: 'object', ...fields } })
const open = schema({ [preserveUnknownFields]: true })

const selectable = suite('selectable fields of versions')

selectable('need a schema that is shared by the same versions', () => {
  const selectableFields = [{ jsonPath: '' }]
  assert.equal(errorsOf({ schema: open, selectableFields }), ['Required spec.selectableFields[0].jsonPath'])
  assert.equal(errorsOf({ schema: open, selectableFields }, { schema: open }), [
    'Invalid spec.versions[0].selectableFields',
  ])
  assert.equal(errorsOf({ schema: open, selectableFields }, { schema: schema(), selectableFields }), [
    'Invalid spec.selectableFields',
  ])
})

selectable('need a schema that can be read', () => {
  const unreadable = schema({ properties: { spec: { type: 'object', [preserveUnknownFields]: false } } })
  const errors = errorsOf({ schema: unreadable, selectableFields: [{ jsonPath: '' }, { jsonPath: '.spec' }] })
  assert.equal(errors.slice(-3), [
    'Invalid spec.schema.openAPIV3Schema',
    'Required spec.selectableFields[0].jsonPath',
    'Invalid spec.selectableFields[1].jsonPath',
  ])
})

selectable.run()

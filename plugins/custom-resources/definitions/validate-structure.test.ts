import { kubernetesProfile, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readSchema } from '../../../libs/json-schema/index.js'
import { customResourceNames } from '../names.js'
import { validateStructure } from './validate-structure.js'

const { keywords } = customResourceNames(new Vendor(kubernetesProfile))
const errorsOf = (schema: object, { partsMayClose = true, metadataMayHaveExamples = true } = {}) =>
  validateStructure(readSchema({ type: 'object', ...schema }, keywords), '', {
    keywords,
    partsMayClose,
    metadataMayHaveExamples,
  }).map(({ type, field }) => `${type.replace('FieldValue', '')} ${field}`)

const structure = suite('structure of schemas')

structure('allows logical parts that allow no other fields', () => {
  const closed = (additionalProperties: unknown) => ({
    allOf: [{ properties: { a: { not: { additionalProperties } } } }],
  })
  const field = '.allOf[0].properties[a].not.additionalProperties'
  assert.equal(errorsOf(closed(false)), [])
  assert.equal(errorsOf(closed(false), { partsMayClose: false }), [`Forbidden ${field}`])
  assert.equal(errorsOf(closed(true)), [`Forbidden ${field}`])
  assert.equal(errorsOf(closed({})), [`Forbidden ${field}`])
})

structure('allows examples of metadata in some versions', () => {
  const properties = { metadata: { type: 'object', example: {}, externalDocs: { url: 'https://a' } } }
  assert.equal(errorsOf({ properties }), [])
  assert.equal(errorsOf({ properties }, { metadataMayHaveExamples: false }), ['Forbidden .properties[metadata]'])
})

structure.run()

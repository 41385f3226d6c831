import { kubernetesProfile, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readSchema } from '../../../libs/json-schema/index.js'
import { customResourceNames } from '../names.js'
import { findField } from './field-path.js'

const { keywords } = customResourceNames(new Vendor(kubernetesProfile))
const schema = readSchema(
  {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          size: { type: 'integer' },
          'a.b': { type: 'string' },
          labels: { type: 'object', additionalProperties: { type: 'string' } },
        },
      },
    },
  },
  keywords,
)
const pathOf = (jsonPath: string, mayQuote = true) => {
  const found = findField(jsonPath, schema, mayQuote)
  return typeof found === 'string' ? undefined : found.path
}

const paths = suite('paths of fields')

paths('consist of names, quoted names and keys of maps', () => {
  assert.is(pathOf('.spec.size'), 'spec.size')
  assert.is(pathOf(".spec['a.b']"), 'spec.a.b')
  assert.is(pathOf(".spec.labels['it\\'s']"), "spec.labels[it's]")
  assert.is(pathOf('.spec.labels.x'), 'spec.labels[x]')
})

paths('are not found without a field, with an index, or with an unterminated quote', () => {
  for (const path of ['spec', '.', '.none', '.spec.size.x', '.spec[0]', ".spec['a.b", ".spec['\\q']", '.spec.', ''])
    assert.is(pathOf(path), path === '' ? '' : undefined, path)
  assert.is(pathOf(".spec['a.b']", false), undefined)
})

paths.run()

import { kubernetesProfile, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readSchema } from '../../../libs/json-schema/index.js'
import { customResourceNames } from '../names.js'
import { StructuralSchema } from './structural-schema.js'

const { keywords } = customResourceNames(new Vendor(kubernetesProfile))
const template = { type: 'object', [keywords.embeddedResource]: true, [keywords.preserveUnknownFields]: true }
const structure = (options: { statusAlone?: boolean; statusItems?: boolean } = {}) =>
  new StructuralSchema(
    readSchema(
      {
        type: 'object',
        properties: {
          template,
          status: {
            type: 'object',
            properties: { set: { type: 'array', items: { type: 'string' }, [keywords.listType]: 'set' } },
          },
        },
      },
      keywords,
    ),
    keywords,
    { typedReasons: true, numberFormats: true, nameFormats: true, ...options },
  )
const errorsOf = (metadata: object) =>
  structure()
    .validate({ template: { apiVersion: 'v1', kind: 'Pod', metadata } })
    .map(({ type, field }) => `${type.replace('FieldValue', '')} ${field.replace('template.metadata.', '')}`)
const owner = (fields: object) => ({ apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'u', ...fields })

const embedded = suite('embedded objects')

const cases: Readonly<Record<string, readonly [metadata: object, errors: readonly string[]]>> = {
  'need no name': [{ labels: { a: 'b' }, ownerReferences: [owner({ controller: true })] }, []],
  'have labels and annotations of valid names': [
    { labels: { '-': 'a' }, annotations: { '/': 'a' } },
    ['Invalid labels', 'Invalid annotations', 'Invalid annotations', 'Invalid annotations'],
  ],
  'have annotations of a limited size': [{ annotations: { a: 'x'.repeat(262_144) } }, ['TooLong annotations']],
  'name a version of their owners': [
    { ownerReferences: [owner({ apiVersion: 'a/b/c' }), owner({ apiVersion: 'a/' })] },
    ['Invalid ownerReferences.apiVersion', 'Invalid ownerReferences.apiVersion'],
  ],
  'cannot be owned by events': [
    { ownerReferences: [owner({ kind: 'Event' }), owner({ kind: 'Event', apiVersion: 'events/v1' })] },
    ['Invalid ownerReferences'],
  ],
  'have one controller': [
    { ownerReferences: [owner({ controller: true }), owner({ name: 'b', controller: true })] },
    ['Invalid ownerReferences'],
  ],
  'cannot both orphan and delete dependents': [
    { finalizers: ['orphan', 'foregroundDeletion', 'a b'] },
    ['Invalid finalizers', 'Invalid finalizers'],
  ],
  'have valid managers of fields': [
    {
      managedFields: [
        { operation: 'Update', fieldsType: 'FieldsV1', manager: 'a' },
        { operation: 'Patch', fieldsType: 'V2', manager: 'a\n', subresource: 'x'.repeat(257) },
        { operation: 'Apply', manager: 'x'.repeat(129) },
      ],
    },
    [
      'Invalid managedFields[1].operation',
      'Invalid managedFields[1].fieldsType',
      'Invalid managedFields[1].manager',
      'TooLong managedFields[1].subresource',
      'TooLong managedFields[2].manager',
    ],
  ],
}
for (const [title, [metadata, errors]] of Object.entries(cases))
  embedded(title, () => assert.equal(errorsOf(metadata), errors))

embedded('are not validated by writes of the status', () => {
  const object = { template: {}, status: {} }
  assert.is(structure().validate(object).length, 2)
  assert.equal(structure().validate(object, { ofStatus: true }), [])
  assert.equal(structure({ statusAlone: false }).validate(object, { ofStatus: true }), [])
})

embedded.run()

const sets = suite('sets in a status')

sets('are checked by writes of the status since items must be unique there', () => {
  const object = { status: { set: ['a', 'a'] } }
  const fieldsOf = (statusItems: boolean) =>
    structure({ statusItems })
      .validate(object, { ofStatus: true })
      .map(({ field }) => field)
  assert.equal(fieldsOf(true), ['status.set[1]'])
  assert.equal(fieldsOf(false), [])
})

sets.run()

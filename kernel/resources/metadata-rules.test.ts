import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { timestamp } from '../schema/timestamps.js'
import { validateMeta, validateMetaUpdate } from './metadata-rules.js'

const metadata = suite('metadata of a changed object')
const stored = { name: 'a', uid: '1', resourceVersion: '1' }
const types = { ofKind: () => undefined } as never
const problems = (change: object, checks: { change: number; object: number }) =>
  validateMetaUpdate(types, { definition: {} } as never, { ...stored, ...change }, stored, checks).map(
    ({ field }) => field,
  )

metadata('is looked at as a change by all types and again by its own', () => {
  assert.equal(problems({ uid: '2' }, { change: 1, object: 1 }), ['metadata.uid', 'metadata.uid'])
  assert.equal(problems({ uid: '2' }, { change: 0, object: 2 }), ['metadata.uid'])
})
metadata('has labels that are looked at in the object and in the change', () => {
  const labels = { labels: { 'a b': 'c' } }
  assert.is(problems(labels, { change: 1, object: 1 }).length, 4)
  assert.is(problems(labels, { change: 1, object: 0 }).length, 3)
})
metadata('has a prefix that must fit in a URL for all types, and be one of a name for its own', () => {
  assert.equal(problems({ generateName: 'a/b' }, { change: 1, object: 0 }), ['metadata.generateName'])
  assert.equal(problems({ generateName: 'A_B' }, { change: 1, object: 0 }), [])
  assert.equal(problems({ generateName: 'A_B' }, { change: 1, object: 1 }), ['metadata.generateName'])
  assert.equal(problems({ generateName: 'a-' }, { change: 1, object: 1 }), [])
})
metadata('may have more errors than a call has arguments', () => {
  const labels = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`=${index}`, '']))
  assert.ok(problems({ labels }, { change: 0, object: 0 }).length >= 200_000)
  const finalizers = Array<string>(200_000).fill('')
  const type = { definition: {}, namespaced: false } as never
  assert.ok(validateMeta(types, type, { name: 'a', labels, finalizers }).length >= 200_000)
})
metadata('has finalizers whose domain only the types ask for', () => {
  assert.equal(problems({ finalizers: ['plain'] }, { change: 1, object: 1 }), [
    'metadata.finalizers[0]',
    'metadata.finalizers[0]',
  ])
  assert.equal(problems({ finalizers: ['a b/c'] }, { change: 1, object: 1 }), [
    'metadata.finalizers',
    'metadata.finalizers',
  ])
})
metadata('has a generation that is no negative number as an object, and does not go back as a change', () => {
  assert.is(problems({ generation: -1 }, { change: 1, object: 1 }).length, 4)
})
metadata('says who manages its fields in names that can be shown', () => {
  const entries = [{ manager: 'm'.repeat(129) }, { manager: 'a\nb' }, { manager: 'm', subresource: 's'.repeat(257) }]
  assert.equal(problems({ managedFields: entries }, { change: 0, object: 0 }).slice(0, 3), [
    'metadata.managedFields[0].manager',
    'metadata.managedFields[1].manager',
    'metadata.managedFields[2].subresource',
  ])
})
metadata('of a new object is told in the order of the reference', () => {
  const type = { definition: {}, namespaced: false } as never
  const meta = { name: 'a', generation: -1, labels: { 'a b': '' }, finalizers: ['c d/e'] }
  const managedFields = [{ manager: 'a\nb' }]
  assert.equal(
    validateMeta(types, type, { ...meta, managedFields }).map(({ field }) => field),
    ['metadata.generation', 'metadata.labels', 'metadata.finalizers', 'metadata.managedFields[0].manager'],
  )
})
metadata('names the version of an owner, in a group or without one', () => {
  const owner = (apiVersion: string) => ({ ownerReferences: [{ apiVersion, kind: 'X', name: 'n', uid: 'u' }] })
  const checks = { change: 0, object: 0 }
  assert.equal(problems(owner('v1'), checks), [])
  assert.equal(problems(owner('group.test/v1'), checks), [])
  for (const apiVersion of ['', 'group.test/', 'a/b/c']) {
    assert.is(problems(owner(apiVersion), checks)[0], 'metadata.ownerReferences.apiVersion')
  }
})
metadata('has times of four-digit years: a later one is the last of them', () => {
  assert.is(timestamp(Date.UTC(2024, 4, 1, 10)), '2024-05-01T10:00:00Z')
  for (const ms of [Date.UTC(9999, 11, 31, 23, 59, 59), Date.UTC(10_000, 0), 1e22])
    assert.is(timestamp(ms), '9999-12-31T23:59:59Z')
})
metadata('has a name that can be stored, though the rule of the type may allow others', () => {
  const type = { namespaced: false, definition: { validateName: () => [] } } as never
  const fieldsOf = (name: string) => validateMeta(types, type, { name }).map(({ field }) => field)
  assert.equal(fieldsOf('system:😀'), [])
  for (const name of ['a\0b', 'a\ud800b', '\udc00']) assert.equal(fieldsOf(name), ['metadata.name'])
})
metadata('has one controller; each further one is a mistake, told a few times', () => {
  const owner = { apiVersion: 'v1', kind: 'X', name: 'n', uid: 'u', controller: true }
  const complaints = (owners: number) =>
    problems({ ownerReferences: Array.from({ length: owners }, () => owner) }, { change: 0, object: 0 }).length
  assert.equal([complaints(1), complaints(3)], [0, 4])
  assert.is(complaints(1000), complaints(2000))
})

metadata.run()

import type { ApiObject } from 'orch/sdk'
import type { ManagedFieldsEntry } from 'orch/sdk/host'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decoded, later, ownersIn, Settings, start, typeOf, Widget } from './apply-fixtures.js'
import { trackUpdate } from './at-once-fixtures.js'

const tracking = suite('tracking writes')

const type = typeOf(Settings)
const settings = (data: Record<string, string>, metadata: ApiObject['metadata'] = {}): ApiObject => ({
  metadata: { name: 'a', ...metadata },
  data,
})
const created = trackUpdate(type, undefined, settings({ a: '1', b: '1' }), 'z', start)

tracking('a creator owns every field it sent, and the maps that contain them', () => {
  const expected = {
    manager: 'z',
    operation: 'Update',
    apiVersion: 'v1',
    time: '2024-05-01T10:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': { '.': {}, 'f:a': {}, 'f:b': {} } },
  }
  assert.is(JSON.stringify(created.metadata.managedFields), JSON.stringify([expected]))
})

tracking('a creator does not own the structs that every object has', () => {
  const widget = typeOf(Widget)
  const object = decoded(widget, { metadata: { name: 'a', labels: { x: 'y' } }, spec: { size: 1 } })
  assert.equal(ownersIn(trackUpdate(widget, undefined, object, 'c', start)), {
    'c Update': { 'f:metadata': { 'f:labels': { '.': {}, 'f:x': {} } }, 'f:spec': { 'f:size': {} } },
  })
})

tracking('a creator owns every key of a map, however many there are', () => {
  const data = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, 'v']))
  const owned = ownersIn(trackUpdate(type, undefined, settings(data), 'c', start))['c Update'] as { 'f:data': object }
  assert.is(Object.keys(owned['f:data']).length, 50_001)
})

tracking('an object without owned fields has no managedFields', () => {
  assert.equal(trackUpdate(type, undefined, { metadata: { name: 'a' } }, 'c', start).metadata, { name: 'a' })
})

tracking('a writer takes the fields it changes from their previous owner', () => {
  const updated = trackUpdate(type, created, settings({ a: '2', b: '1' }), 'y', later(1))
  assert.equal(ownersIn(updated), {
    'z Update': { 'f:data': { '.': {}, 'f:b': {} } },
    'y Update': { 'f:data': { 'f:a': {} } },
  })
})

tracking('a writer adds to its own entry, also within a second', () => {
  const updated = trackUpdate(type, created, settings({ a: '1', b: '1', c: '1' }), 'z', start)
  assert.equal(ownersIn(updated), { 'z Update': { 'f:data': { '.': {}, 'f:a': {}, 'f:b': {}, 'f:c': {} } } })
})

tracking('removed fields have no owner', () => {
  assert.equal(ownersIn(trackUpdate(type, created, settings({ a: '1' }), 'y', later(1))), {
    'z Update': { 'f:data': { '.': {}, 'f:a': {} } },
  })
  assert.is(trackUpdate(type, created, { metadata: { name: 'a' } }, 'y', later(1)).metadata.managedFields, undefined)
})

tracking('a time changes only when its manager changes a value', () => {
  const times = (object: ApiObject) => object.metadata.managedFields?.map(({ manager, time }) => `${manager} ${time}`)
  const same = trackUpdate(type, created, settings({ a: '1', b: '1' }), 'z', later(9))
  assert.equal(times(same), ['z 2024-05-01T10:00:00Z'])
  const changed = trackUpdate(type, created, settings({ a: '2', b: '1' }), 'z', later(9))
  assert.equal(times(changed), ['z 2024-05-01T10:00:09Z'])
  const byOther = trackUpdate(type, created, settings({ a: '2', b: '1' }), 'y', later(9))
  assert.equal(times(byOther), ['z 2024-05-01T10:00:00Z', 'y 2024-05-01T10:00:09Z'])
})

tracking('fields that the server fills in have no owner', () => {
  const filled = { uid: 'u', resourceVersion: '5', generation: 2, creationTimestamp: '2024-05-01T10:00:00Z' }
  const updated = trackUpdate(type, created, settings({ a: '1', b: '1' }, filled), 'y', later(1))
  assert.equal(ownersIn(updated), ownersIn(created))
})

tracking('an untracked object stays untracked', () => {
  const live: ApiObject = { metadata: { name: 'a' } }
  assert.is(trackUpdate(type, live, settings({ a: '1' }), 'y', start).metadata.managedFields, undefined)
})

tracking('fields that a path resets are not owned through it', () => {
  const widget = typeOf(Widget, { resetFields: ['status'] })
  const sent = { metadata: { name: 'a' }, spec: { size: 1 }, status: { phase: 'x' } }
  assert.equal(ownersIn(trackUpdate(widget, undefined, sent, 'c', start)), {
    'c Update': { 'f:spec': { 'f:size': {} } },
  })
})

tracking('a subresource has entries of its own', () => {
  const main = typeOf(Widget, { resetFields: ['status'] })
  const status = typeOf(Widget, { resetFields: ['spec'], subresource: 'status' })
  const live = trackUpdate(main, undefined, decoded(main, { metadata: {}, spec: { size: 1 } }), 'c', start)
  const sent = decoded(main, {
    metadata: { managedFields: [{}] },
    spec: { size: 2 },
    status: { phase: 'x' },
  } as ApiObject)
  assert.equal(ownersIn(trackUpdate(status, live, sent, 'c', start)), {
    'c Update': { 'f:spec': { 'f:size': {} } },
    'c Update status': { 'f:status': { 'f:phase': {} } },
  })
})

tracking('one empty entry resets, and the writer owns the fields that it changes in the same write', () => {
  const reset = (data: Record<string, string>) =>
    trackUpdate(type, created, settings(data, { managedFields: [{}] }), 'y', later(1))
  assert.is(reset({ a: '1', b: '1' }).metadata.managedFields, undefined)
  assert.equal(ownersIn(reset({ a: '1', b: '2' })), { 'y Update': { 'f:data': { 'f:b': {} } } })
})

const ignored: Record<string, ManagedFieldsEntry[]> = {
  'an empty list does not': [],
  'an entry without an operation does not': [{ manager: 'x', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} }],
  'an entry with broken fields does not': [
    { manager: 'x', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { 'f:a': 1 } },
  ],
}
for (const [title, managedFields] of Object.entries(ignored)) {
  tracking(`${title} reset`, () => {
    const updated = trackUpdate(type, created, settings({ a: '1', b: '1' }, { managedFields }), 'y', later(1))
    assert.equal(updated.metadata.managedFields, created.metadata.managedFields)
  })
}

tracking('a client may rewrite the entries, which are then normalized', () => {
  const fieldsV1 = { 'f:data': { 'f:b': { '.': {} }, 'f:a': {} } }
  const managedFields = [{ manager: 'x', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1 }]
  const updated = trackUpdate(type, created, settings({ a: '1', b: '2' }, { managedFields }), 'y', later(1))
  assert.equal(ownersIn(updated), { 'x Update': { 'f:data': { 'f:a': {} } }, 'y Update': { 'f:data': { 'f:b': {} } } })
})

tracking('too many entries are ignored, as if the client had not sent them', () => {
  const managedFields = Array.from({ length: 20_000 }, (_, i): ManagedFieldsEntry => {
    const fieldsV1 = { 'f:data': { [`f:k${i}`]: {} } }
    return { manager: `m${i}`, operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1 }
  })
  const updated = trackUpdate(type, created, settings({ a: '1', b: '1' }, { managedFields }), 'y', later(1))
  assert.equal(ownersIn(updated), ownersIn(created))
})

tracking('an object with repeated items in a set has no owners', () => {
  const finalizers = ['a/x', 'a/x']
  assert.is(
    trackUpdate(type, undefined, settings({ a: '1' }, { finalizers }), 'c', start).metadata.managedFields,
    undefined,
  )
  const updated = trackUpdate(type, created, settings({ a: '2', b: '1' }, { finalizers }), 'y', later(1))
  assert.is(updated.metadata.managedFields, undefined)
})

tracking('entries are in the order of Kubernetes: operation, time, manager', () => {
  let object = trackUpdate(type, undefined, settings({ a: '1' }), 'z', later(1))
  object = trackUpdate(type, object, settings({ a: '1', b: '1' }), 'b', later(2))
  object = trackUpdate(type, object, settings({ a: '1', b: '1', c: '1' }), 'a', later(2))
  assert.equal(
    object.metadata.managedFields?.map(entry => entry.manager),
    ['z', 'a', 'b'],
  )
})

tracking('many large entries are merged quickly', () => {
  const managedFields = Array.from({ length: 500 }, (_, i): ManagedFieldsEntry => {
    const fields = Object.fromEntries(Array.from({ length: 200 }, (__, at) => [`f:k${i}-${at}`, {}]))
    const fieldsV1 = { 'f:data': fields }
    return { manager: `m${i}`, operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1 }
  })
  const cpu = process.cpuUsage()
  const updated = trackUpdate(type, created, settings({ a: '1', b: '1' }, { managedFields }), 'y', later(1))
  assert.ok(process.cpuUsage(cpu).user < 2_000_000, 'took more than two seconds')
  assert.is(updated.metadata.managedFields?.length, 10)
  const { 'f:data': fields = {} } = ownersIn(updated)['ancient-changes Update'] as { 'f:data'?: object }
  assert.is(Object.keys(fields).length, 491 * 200)
})

tracking('more than ten Update entries are merged, the oldest first', () => {
  let object = created
  const data: Record<string, string> = { a: '1', b: '1' }
  for (let i = 0; i < 14; i++) {
    data[`k${i}`] = '1'
    object = trackUpdate(type, object, settings({ ...data }), `m${i}`, later(i + 1))
  }
  const entries = object.metadata.managedFields ?? []
  assert.is(entries.length, 10)
  assert.equal(entries[0], {
    manager: 'ancient-changes',
    operation: 'Update',
    apiVersion: 'v1',
    time: '2024-05-01T10:00:05Z',
    fieldsType: 'FieldsV1',
    fieldsV1: {
      'f:data': { '.': {}, 'f:a': {}, 'f:b': {}, 'f:k0': {}, 'f:k1': {}, 'f:k2': {}, 'f:k3': {}, 'f:k4': {} },
    },
  })
})

tracking.run()

import { type ApiObject, embedded, field, Int32, Kind, StringMap, Struct, Text } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { later, modelOf, ownersIn, start } from './apply-fixtures.js'
import { applyObject, trackUpdate } from './at-once-fixtures.js'
import type { FieldManagerType } from './field-manager-type.js'

/** The second version calls `size` `width`, and has a field that the first does not have. */
const Old = Kind('test.v1.Box', {
  spec: embedded(2, Struct('test.v1.BoxSpec', { size: field(1, Int32()), mode: field(2, Text()) })),
  data: field(3, StringMap()),
})
const New = Kind('test.v2.Box', {
  spec: embedded(
    2,
    Struct('test.v2.BoxSpec', { width: field(1, Int32()), mode: field(2, Text()), color: field(3, Text()) }),
  ),
  data: field(3, StringMap()),
})
const models = { 'test/v1': modelOf(Old), 'test/v2': modelOf(New) }
type Version = keyof typeof models

function convert(object: ApiObject, to: string, from: string): ApiObject {
  if (to === from) return object
  const { size, width, color, ...spec } = (object['spec'] ?? {}) as Record<string, unknown>
  const known = to === 'test/v2' ? { ...spec, width: size } : { ...spec, size: width }
  return JSON.parse(JSON.stringify({ ...object, spec: known })) as ApiObject
}

const typeIn = (groupVersion: Version, served: readonly Version[] = ['test/v1', 'test/v2']): FieldManagerType => ({
  groupVersion,
  kind: 'Box',
  model: models[groupVersion],
  modelOf: version => (served.includes(version as Version) ? models[version as Version] : undefined),
  convert,
  resetFields: [],
  timesSharedFields: true,
  subresource: '',
})
const v1 = typeIn('test/v1')
const v2 = typeIn('test/v2')
const box = (spec: object, data?: Record<string, string>): ApiObject => ({
  metadata: { name: 'a' },
  spec,
  ...(data ? { data } : {}),
})

const versions = suite('ownership over versions')

versions('a writer of one version takes a field from an owner in whose version it has another name', () => {
  const live = trackUpdate(v1, undefined, box({ size: 1, mode: 'a' }), 'old', start)
  const updated = trackUpdate(v2, convert(live, 'test/v2', 'test/v1'), box({ width: 2, mode: 'a' }), 'new', later(1))
  assert.equal(ownersIn(updated), {
    'old Update': { 'f:spec': { 'f:mode': {} } },
    'new Update': { 'f:spec': { 'f:width': {} } },
  })
})

versions('a conflict names the field as in the version of the owner', () => {
  const live = applyObject(v1, undefined, box({ size: 1 }), 'm1', false, start)
  const other = convert(live, 'test/v2', 'test/v1')
  assert.throws(
    () => applyObject(v2, other, box({ width: 2 }), 'm2', false, start),
    /^Apply failed with 1 conflict: conflict with "m1": \.spec\.size$/,
  )
  const shared = applyObject(v2, other, box({ width: 1 }), 'm2', false, start)
  assert.equal(Object.keys(ownersIn(shared)), ['m1 Apply', 'm2 Apply'])
})

versions(
  'an applier that switches to another version keeps one entry and loses fields that it no longer states',
  () => {
    const live = applyObject(v1, undefined, box({ size: 1, mode: 'a' }, { k: '1' }), 'm1', false, start)
    const moved = applyObject(v2, convert(live, 'test/v2', 'test/v1'), box({ width: 1 }), 'm1', false, later(1))
    assert.equal(moved['spec'], { width: 1 })
    assert.is(moved['data'], undefined)
    assert.equal(ownersIn(moved), { 'm1 Apply': { 'f:spec': { 'f:width': {} } } })
    assert.is(moved.metadata.managedFields?.[0]?.apiVersion, 'test/v2')
  },
)

versions('fields that another version owns are not pruned', () => {
  let live = applyObject(v2, undefined, box({ width: 1, mode: 'a' }), 'm2', false, start)
  live = applyObject(v1, convert(live, 'test/v1', 'test/v2'), box({ size: 1, mode: 'a' }), 'm1', false, later(1))
  const rest = applyObject(v1, live, box({}), 'm1', false, later(2))
  assert.equal(rest['spec'], { size: 1, mode: 'a' })
})

versions('entries of a version that is no longer served are dropped', () => {
  const live = trackUpdate(v1, undefined, box({ size: 1 }), 'old', start)
  const onlyNew = typeIn('test/v2', ['test/v2'])
  const base = convert(live, 'test/v2', 'test/v1')
  assert.equal(ownersIn(trackUpdate(onlyNew, base, box({ width: 1, mode: 'x' }), 'new', start)), {
    'new Update': { 'f:spec': { 'f:mode': {} } },
  })
  assert.equal(ownersIn(applyObject(onlyNew, base, box({ width: 2 }), 'm1', false, start)), {
    'm1 Apply': { 'f:spec': { 'f:width': {} } },
  })
})

versions.run()

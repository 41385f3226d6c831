import { ApiError, type ApiObject } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decoded, later, ownersIn, Settings, start, typeOf, Widget } from './apply-fixtures.js'
import { applyObject, trackUpdate, unchangedObject } from './at-once-fixtures.js'
import type { FieldManagerType } from './field-manager-type.js'

const clientSideApply = { manager: 'ctl', annotation: 'ctl.acme.test/last-applied-configuration' }
const settings = typeOf(Settings, { kind: 'Settings', clientSideApply })
const widgets = typeOf(Widget, { resetFields: ['status'] })

/** An object under test, written by several managers as over the API. */
class Written {
  object: ApiObject | undefined
  readonly #type: FieldManagerType
  #seconds = 0
  constructor(type: FieldManagerType) {
    this.#type = type
  }
  apply(manager: string, body: object, force = false): ApiObject {
    const { metadata, ...rest } = body as ApiObject
    const applied = { metadata: { name: 'a', ...metadata }, ...rest }
    const result = applyObject(this.#type, this.object, applied, manager, force, later(this.#seconds++))
    return this.#store(result)
  }
  update(manager: string, body: object): ApiObject {
    const { metadata, ...rest } = body as ApiObject
    const sent = decoded(this.#type, { metadata: { name: 'a', ...metadata }, ...rest })
    return this.#store(trackUpdate(this.#type, this.object, sent, manager, later(this.#seconds++)))
  }
  #store(written: ApiObject): ApiObject {
    const object = decoded(this.#type, written)
    this.object = (this.object && unchangedObject(this.object, object)) ?? object
    return this.object
  }
}

function conflictOf(work: () => unknown): ApiError {
  try {
    work()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('expected an ApiError')
}
const fieldsOf = (error: ApiError) => error.details?.causes?.map(cause => cause.field)

const applying = suite('applying')

applying('creates, and owns the stated fields but not the maps around them', () => {
  const written = new Written(settings)
  assert.equal(ownersIn(written.apply('m1', { data: { k: 'v' } })), { 'm1 Apply': { 'f:data': { 'f:k': {} } } })
  assert.equal(written.object?.['data'], { k: 'v' })
})

applying('an empty body owns nothing', () => {
  assert.is(new Written(settings).apply('m1', {}).metadata.managedFields, undefined)
})

applying('another value for a field that an applier owns is a conflict that names it', () => {
  const written = new Written(settings)
  written.apply('m1', { data: { k: '1', l: 'x' } })
  const error = conflictOf(() => written.apply('m2', { data: { k: '2' } }))
  assert.is(error.code, 409)
  assert.is(error.reason, 'Conflict')
  assert.is(error.message, 'Apply failed with 1 conflict: conflict with "m1": .data.k')
  assert.equal(error.details, {
    causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "m1"', field: '.data.k' }],
  })
})

applying('several conflicts are listed by manager', () => {
  const written = new Written(settings)
  written.update('u', { data: { a: '1', b: '1' } })
  written.apply('m1', { data: { c: '1' } })
  const error = conflictOf(() => written.apply('m2', { data: { a: '2', b: '2', c: '2' } }))
  assert.is(
    error.message,
    'Apply failed with 3 conflicts: conflicts with "m1":\n- .data.c\nconflicts with "u" using v1:\n- .data.a\n- .data.b',
  )
})

applying('force takes the field from all others', () => {
  const written = new Written(settings)
  written.apply('m1', { data: { k: '1', l: 'x' } })
  written.apply('m2', { data: { k: '1' } })
  assert.equal(ownersIn(written.apply('m3', { data: { k: '2' } }, true)), {
    'm1 Apply': { 'f:data': { 'f:l': {} } },
    'm3 Apply': { 'f:data': { 'f:k': {} } },
  })
  assert.equal(written.object?.['data'], { k: '2', l: 'x' })
})

applying('an equal value is shared, and then neither owner may change it alone', () => {
  const written = new Written(settings)
  written.apply('m1', { data: { k: '1' } })
  assert.equal(Object.keys(ownersIn(written.apply('m2', { data: { k: '1' } }))), ['m1 Apply', 'm2 Apply'])
  assert.equal(fieldsOf(conflictOf(() => written.apply('m1', { data: { k: '2' } }))), ['.data.k'])
})

applying('without a field removes it, unless another owns it', () => {
  const written = new Written(settings)
  written.apply('m1', { data: { k: '1', l: '1' } })
  written.apply('m2', { data: { l: '1' } })
  assert.equal(written.apply('m1', {})['data'], { l: '1' })
  assert.equal(ownersIn(written.object as ApiObject), { 'm2 Apply': { 'f:data': { 'f:l': {} } } })
})

applying('without a field that another manager has changed since leaves it to them', () => {
  const written = new Written(settings)
  written.apply('m1', { data: { k: '1' } })
  written.update('u', { data: { k: '2' } })
  assert.equal(written.apply('m1', {})['data'], { k: '2' })
})

applying('removes items of sets and map lists likewise', () => {
  const written = new Written(widgets)
  written.apply('m1', { spec: { tags: ['a', 'b'], parts: [{ name: 'x', image: '1' }, { name: 'y' }] } })
  written.apply('m2', { spec: { tags: ['b'], parts: [{ name: 'x' }] } })
  const spec = written.apply('m1', { spec: { tags: ['c'] } })['spec']
  assert.equal(spec, { tags: ['b', 'c'], parts: [{ name: 'x' }] })
})

applying('leaves items that others added to a list alone', () => {
  const written = new Written(widgets)
  written.apply('m1', { spec: { parts: [{ name: 'x' }] } })
  written.update('u', { spec: { parts: [{ name: 'x' }, { name: 'y', image: '1' }] } })
  assert.equal((written.apply('m1', { spec: { size: 1 } })['spec'] as Widget['spec'])?.parts, [
    { name: 'y', image: '1' },
  ])
})

applying('never removes the name with the last label', () => {
  const written = new Written(settings)
  written.apply('m1', { metadata: { labels: { a: 'b' } } })
  const { name, labels } = written.apply('m1', {}).metadata
  assert.equal({ name, labels }, { name: 'a', labels: undefined })
})

applying('an atomic value conflicts as a whole', () => {
  const written = new Written(widgets)
  written.apply('m1', { spec: { args: ['a'], limits: { low: 1 } } })
  const error = conflictOf(() => written.apply('m2', { spec: { args: ['a', 'b'], limits: { high: 1 } } }))
  assert.equal(fieldsOf(error), ['.spec.args', '.spec.limits'])
})

applying('an item is named by its keys in conflicts', () => {
  const written = new Written(widgets)
  written.apply('m1', { spec: { ports: [{ port: 80, name: 'web' }] } })
  const error = conflictOf(() => written.apply('m2', { spec: { ports: [{ port: 80, protocol: 'TCP', name: 'x' }] } }))
  assert.equal(fieldsOf(error), ['.spec.ports[port=80,protocol="TCP"].name'])
})

applying('to an untracked object assigns its existing fields to before-first-apply', () => {
  const written = new Written(settings)
  written.object = { metadata: { name: 'a', uid: 'u', labels: { x: 'y' } }, data: { k: '1' } }
  assert.equal(ownersIn(written.apply('m1', { data: { l: '1' } })), {
    'm1 Apply': { 'f:data': { 'f:l': {} } },
    'before-first-apply Update': {
      'f:data': { '.': {}, 'f:k': {} },
      'f:metadata': { 'f:labels': { '.': {}, 'f:x': {} } },
    },
  })
})

applying('the same body again changes nothing, not even a time', () => {
  const written = new Written(widgets)
  const body = { metadata: { labels: { a: 'b' } }, spec: { size: 1, tags: ['a'], ports: [{ port: 1 }], settings: {} } }
  const first = written.apply('m1', body)
  assert.equal(written.apply('m1', body), first)
})

applying('an empty or null map is owned though it is not stored', () => {
  const written = new Written(settings)
  const empty = written.apply('m1', { data: {} })
  assert.equal(ownersIn(empty), { 'm1 Apply': { 'f:data': {} } })
  assert.equal(written.apply('m1', { data: null }), empty)
  written.apply('m1', { data: { k: '' } })
  assert.equal(fieldsOf(conflictOf(() => written.apply('m2', { data: { k: null } }))), ['.data.k'])
})

applying('fields that the path resets neither conflict nor are owned', () => {
  const written = new Written(widgets)
  written.object = { metadata: { name: 'a', uid: 'u' }, spec: {}, status: { phase: 'x' } }
  written.object = trackUpdate(
    { ...widgets, resetFields: ['spec'], subresource: 'status' },
    undefined,
    written.object,
    'u',
    start,
  )
  const applied = written.apply('m1', { spec: { size: 1 }, status: { phase: 'y' } })
  assert.equal(ownersIn(applied), {
    'm1 Apply': { 'f:spec': { 'f:size': {} } },
    'u Update status': { 'f:status': { 'f:phase': {} } },
  })
})

applying('only fields that the path resets changes nothing', () => {
  const live: ApiObject = { metadata: { name: 'a', uid: 'u' }, spec: {}, status: { phase: 'x' } }
  const body = { metadata: { name: 'a' }, status: { phase: 'y' } }
  assert.equal(applyObject(widgets, live, body, 'm1', false, start)['status'], { phase: 'x' })
})

applying('the owner in a conflict is named with its subresource', () => {
  const status = typeOf(Widget, { resetFields: ['spec'], subresource: 'status' })
  const live = trackUpdate(status, undefined, { metadata: {}, status: { phase: 'x' } }, 'u', start)
  const work = () => applyObject(status, live, { metadata: {}, status: { phase: 'y' } }, 'm1', false, start)
  assert.match(conflictOf(work).message, 'conflict with "u" with subresource "status" using v1: .status.phase')
})

const refused: Record<string, [object, RegExp]> = {
  'with managedFields': [{ metadata: { managedFields: [] } }, /^metadata\.managedFields must be nil$/],
  'of another version': [
    { apiVersion: 'v2' },
    /^Incorrect version specified in apply patch\. Specified patch version: v2, expected: v1$/,
  ],
  'with an unknown field': [
    { bogus: 1 },
    /^failed to create typed patch object \(a; v1, Kind=Settings\): \.bogus: field not declared in schema$/,
  ],
  'with a wrong value': [{ data: { k: 1 } }, /\.data\.k: expected string, got 1$/],
  'with a repeated item': [
    { metadata: { finalizers: ['a/b', 'a/b'] } },
    /\.metadata\.finalizers: duplicate entries for key \[="a\/b"\]$/,
  ],
}
for (const [title, [body, message]] of Object.entries(refused)) {
  applying(`a body ${title} is a bad request`, () => {
    const error = conflictOf(() => new Written(settings).apply('m1', body))
    assert.is(error.code, 400)
    assert.match(error.message, message)
  })
}

applying('onto a list with repeated items is a bad request that names it', () => {
  const written = new Written(settings)
  written.object = { metadata: { name: 'a', finalizers: ['a/b', 'a/b'] } }
  const error = conflictOf(() => written.apply('m1', { metadata: { finalizers: ['a/c'] } }))
  assert.is(error.code, 400)
  assert.match(error.message, /failed to create typed live object .*\.metadata\.finalizers: duplicate entries/)
})

const upgrading = suite('moving from client-side apply')
const lastApplied = (data: object) => ({
  annotations: {
    [clientSideApply.annotation]: `${JSON.stringify({ apiVersion: 'v1', data, kind: 'Settings', metadata: { annotations: {}, name: 'a' } })}\n`,
  },
})
function clientSideApplied(data: Record<string, string>): Written {
  const written = new Written(settings)
  written.update('ctl-client-side-apply', { metadata: lastApplied(data), data })
  return written
}

upgrading('the client takes over the fields in its annotation, which is updated', () => {
  const written = clientSideApplied({ k: '1' })
  const applied = written.apply('ctl', { apiVersion: 'v1', kind: 'Settings', data: { k: '<2>' } })
  assert.is(
    applied.metadata.annotations?.[clientSideApply.annotation],
    '{"apiVersion":"v1","data":{"k":"\\u003c2\\u003e"},"kind":"Settings","metadata":{"name":"a"}}\n',
  )
  assert.equal(ownersIn(applied), {
    'ctl Apply': { 'f:data': { 'f:k': {} } },
    'ctl-client-side-apply Update': {
      'f:data': {},
      'f:metadata': { 'f:annotations': { '.': {}, [`f:${clientSideApply.annotation}`]: {} } },
    },
  })
})

upgrading('fields that others changed since still conflict, and only those', () => {
  const written = clientSideApplied({ k: '1', l: '1' })
  written.update('u', { metadata: lastApplied({ k: '1', l: '1' }), data: { k: '1', l: '2' } })
  assert.equal(fieldsOf(conflictOf(() => written.apply('ctl', { data: { k: '3', l: '3' } }))), ['.data.l'])
})

upgrading('another manager name opts out', () => {
  const written = clientSideApplied({ k: '1' })
  assert.equal(fieldsOf(conflictOf(() => written.apply('other', { data: { k: '2' } }))), ['.data.k'])
  written.apply('other', { data: { k: '2' } }, true)
  assert.match(written.object?.metadata.annotations?.[clientSideApply.annotation] ?? '', '"k":"1"')
})

upgrading('an invalid annotation has no effect', () => {
  const written = new Written(settings)
  written.update('u', { metadata: { annotations: { [clientSideApply.annotation]: '{' } }, data: { k: '1' } })
  assert.equal(fieldsOf(conflictOf(() => written.apply('ctl', { data: { k: '2' } }))), ['.data.k'])
})

upgrading('an object without the annotation is not given one', () => {
  assert.is(new Written(settings).apply('ctl', { data: { k: '1' } }).metadata.annotations, undefined)
})

applying.run()
upgrading.run()

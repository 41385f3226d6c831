import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ApiError } from '../resource/api-errors.js'
import type { ApiObject } from '../resource/meta.js'
import { answer, FakeApi } from '../testing/fake-api.js'
import { fakeClock } from '../testing/fake-clock.js'
import type { ResumedEvent } from './client.js'
import { createClient } from './create-client.js'
import { JsonLines } from './json-lines.js'
import { hasCondition } from './wait-for.js'

const path = '/api/v1/namespaces/a/things'
const thing = (name: string, more: Partial<ApiObject> = {}): ApiObject => ({ metadata: { name }, ...more })

function setUp() {
  const api = new FakeApi()
  const clock = fakeClock()
  const client = createClient({ transport: api.transport, clock })
  return { api, clock, things: client.resource({ group: '', version: 'v1', resource: 'things' }).in('a') }
}
/** Watches in the background and records the events. */
function follow(events: AsyncIterable<ResumedEvent<ApiObject>>) {
  const heard: string[] = []
  const ended = (async () => {
    for await (const event of events)
      heard.push(
        event.type === 'RELISTED'
          ? `RELISTED ${event.items.map(item => item.metadata.name).join(',')}`
          : `${event.type} ${event.object.metadata.name}`,
      )
  })()
  return { heard, ended }
}

const paging = suite('listing')
paging('each visits all pages and sets the kind of every object', async () => {
  const { api, things } = setUp()
  for (const name of ['a', 'b', 'c', 'd', 'e']) api.put(path, thing(name))
  const names: string[] = []
  for await (const one of things.each({ limit: 2 })) names.push(`${one.kind} ${one.metadata.name}`)
  assert.equal(names, ['Thing a', 'Thing b', 'Thing c', 'Thing d', 'Thing e'])
  assert.is(api.requests.length, 3)
})
paging('each starts over when its token expires, and returns no object twice', async () => {
  const { api, things } = setUp()
  for (const name of ['a', 'b', 'c']) api.put(path, thing(name))
  const names: string[] = []
  for await (const one of things.each({ limit: 1 })) {
    names.push(one.metadata.name ?? '')
    if (names.length === 1) {
      api.put(path, thing('d'))
      api.compact()
    }
  }
  assert.equal(names, ['a', 'b', 'c', 'd'])
})
paging.run()

const lines = suite('lines of JSON')
lines('are found however the bytes are split', () => {
  const bytes = Buffer.from('{"a":"ä"}\n\n{"b":2}\n{"c":3}')
  for (let size = 1; size <= bytes.length; size++) {
    const found: unknown[] = []
    const cutter = new JsonLines()
    for (let at = 0; at < bytes.length; at += size) found.push(...cutter.push(bytes.subarray(at, at + size)))
    found.push(...cutter.end())
    assert.equal(found, [{ a: 'ä' }, { b: 2 }, { c: 3 }])
  }
})
lines('of metadata omit managedFields, whatever their position and contents', () => {
  const managedFields = [
    { manager: 'a"]\\', fieldsV1: { 'f:x["]': { 'k:{\\"a\\":[1]}': {} } } },
    { list: [[], ['\\\\"']] },
  ]
  const annotations = { note: '"managedFields":[1]', end: '\\' }
  const metadata: Record<string, unknown>[] = [
    { name: 'x', uid: 'y' },
    { managedFields },
    { managedFields, name: 'x' },
    { name: 'x', managedFields },
    { annotations, managedFields: [], uid: 'y' },
    { annotations, managedFields, ownerReferences: [{ uid: 'z' }] },
  ]
  const text = metadata.map(each => JSON.stringify({ type: 'ADDED', object: { metadata: each } })).join('\n')
  const expected = metadata.map(({ managedFields: _, ...rest }) => ({ type: 'ADDED', object: { metadata: rest } }))
  const reader = new JsonLines({ withoutManagedFields: true })
  assert.equal([...reader.push(Buffer.from(`${text}\n`))], expected)
})
lines.run()

const watching = suite('watching')
watching('leaving the loop closes the connection', async () => {
  const { api, things } = setUp()
  const events = things.watch({ resourceVersion: '100' })
  api.put(path, thing('x'))
  for await (const event of events) {
    assert.is(event.type, 'ADDED')
    assert.is(api.watchers, 1)
    break
  }
  assert.is(api.watchers, 0)
})
watching('an aborted watch ends without an error', async () => {
  const { api, things, clock } = setUp()
  const abort = new AbortController()
  let ended = false
  const done = (async () => {
    for await (const _ of things.watch({ signal: abort.signal }));
    ended = true
  })()
  await clock.advance(0)
  assert.is(api.watchers, 1)
  abort.abort()
  await done
  assert.ok(ended)
  assert.is(api.watchers, 0)
})
watching('resumes where it was after the connection ends', async () => {
  const { api, things, clock } = setUp()
  api.put(path, thing('x'))
  const abort = new AbortController()
  const { heard, ended } = follow(things.watchWithResume({ signal: abort.signal }))
  await clock.advance(5_000)
  api.put(path, thing('y'))
  await clock.advance(0)
  api.dropWatches()
  api.put(path, thing('z'))
  api.remove(`${path}/x`)
  await clock.advance(1_000)
  assert.equal(heard, ['RELISTED x', 'ADDED y', 'ADDED z', 'DELETED x'])
  abort.abort()
  await ended
  assert.is(clock.pending, 0)
  assert.is(api.requests.filter(one => !one.includes('watch=')).length, 1)
})
watching('lists again when history is gone', async () => {
  const { api, things, clock } = setUp()
  const abort = new AbortController()
  const { heard, ended } = follow(things.watchWithResume({ signal: abort.signal }))
  await clock.advance(0)
  api.put(path, thing('y'))
  await clock.advance(0)
  api.dropWatches()
  api.put(path, thing('z'))
  api.compact()
  await clock.advance(1_000)
  assert.equal(heard, ['RELISTED ', 'ADDED y', 'RELISTED y,z'])
  abort.abort()
  await ended
})
watching('a server that ends every watch immediately is not called without pause', async () => {
  const { api, things, clock } = setUp()
  api.intercept = request => (request.path.includes('watch=') ? emptyAnswer() : undefined)
  const abort = new AbortController()
  const { ended } = follow(things.watchWithResume({ signal: abort.signal }))
  await clock.advance(60_000)
  assert.ok(api.requests.length < 20, `${api.requests.length} requests`)
  abort.abort()
  await ended
})
watching('gives up on errors that a retry does not fix', async () => {
  const { api, things } = setUp()
  api.intercept = () => answer(403, { kind: 'Status', code: 403, reason: 'Forbidden', message: 'no' })
  const { ended } = follow(things.watchWithResume())
  let code = 0
  await ended.catch(error => {
    code = (error as ApiError).code
  })
  assert.is(code, 403)
})
watching('closes a connection that the server did not end in time', async () => {
  const { api, things, clock } = setUp()
  const abort = new AbortController()
  const { ended } = follow(things.watchWithResume({ signal: abort.signal }))
  await clock.advance(700_000)
  assert.is(api.requests.filter(one => one.includes('watch=')).length, 2)
  assert.is(api.watchers, 1)
  abort.abort()
  await ended
})
watching('waitFor returns the object once the condition holds', async () => {
  const { api, things, clock } = setUp()
  const waiting = things.waitFor('x', hasCondition('Ready'))
  await clock.advance(0)
  api.put(path, thing('other', { status: { conditions: [{ type: 'Ready', status: 'True' }] } }))
  api.put(path, thing('x', { status: { conditions: [{ type: 'Ready', status: 'False' }] } }))
  await clock.advance(0)
  api.put(path, thing('x', { status: { conditions: [{ type: 'Ready', status: 'True' }] } }))
  assert.is((await waiting).metadata.name, 'x')
  assert.is(clock.pending, 0)
})
watching('waitFor fails with a time-out when it takes too long', async () => {
  const { things, clock } = setUp()
  const waiting = things.waitFor('x', () => true, { timeoutMs: 5_000 }).catch(error => error)
  await clock.advance(5_000)
  const error = await waiting
  assert.instance(error, ApiError)
  assert.is(error.code, 504)
  assert.is(clock.pending, 0)
})
watching('waitForDeletion ends when the object is gone', async () => {
  const { api, things, clock } = setUp()
  api.put(path, thing('x'))
  let gone = false
  const waiting = things.waitForDeletion('x').then(() => {
    gone = true
  })
  await clock.advance(0)
  assert.not.ok(gone)
  api.remove(`${path}/x`)
  await waiting
  assert.ok(gone)
})
watching.run()

const emptyAnswer = () => ({ status: 200, headers: {}, body: (async function* () {})() })

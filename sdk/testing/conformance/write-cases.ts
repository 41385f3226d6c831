import * as assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../../index.js'
import type { ApiObject } from '../../resource/meta.js'
import type { ConformanceCase } from './conformance-case.js'
import { type ConformanceSubject, refused } from './conformance-subject.js'

/** Create, update and patch. */
export function writeCases(subject: ConformanceSubject): ConformanceCase[] {
  const { resource, invalid = {} } = subject.request
  return [
    ...subject.caseFor(
      ['create', 'delete'],
      'create sets uid, version and time, and ignores those of the client',
      async () => {
        const made = await subject.created(object => {
          Object.assign(object.metadata, { uid: 'mine', creationTimestamp: '2000-01-01T00:00:00Z' })
        })
        assert.match(made.metadata.uid ?? '', /^[0-9a-f-]{36}$/)
        assert.match(made.metadata.resourceVersion ?? '', /^\d+$/)
        assert.notEqual(made.metadata.creationTimestamp, '2000-01-01T00:00:00Z')
        await subject.removed(made)
      },
    ),
    ...subject.caseFor(['create', 'delete'], 'a name is taken until its object is gone', async () => {
      const client = await subject.client()
      const sent = subject.sample()
      const made = await client.create(sent)
      await refused(client.create(sent), 409, 'AlreadyExists')
      await subject.removed(made)
      const again = await client.create(sent)
      assert.notEqual(again.metadata.uid, made.metadata.uid)
      await subject.removed(again)
    }),
    ...subject.caseFor(['create'], 'an object without a name is invalid', async () => {
      const client = await subject.client()
      const unnamed = subject.sample(object => {
        delete object.metadata.name
      })
      const creating = client.create(unnamed)
      const made = await creating.catch(() => undefined)
      // A type may make up a name.
      if (made?.metadata.name) return subject.removed(made)
      const error = await refused(creating, 422, 'Invalid')
      assert.ok(error.details?.causes?.some(cause => cause.field === 'metadata.name'))
    }),
    ...Object.entries(invalid).map(([title, spoil]) => ({
      name: `an invalid object is rejected: ${title}`,
      run: async () => {
        const client = await subject.client()
        const error = await refused(client.create(subject.sample(spoil)), 422, 'Invalid')
        assert.ok((error.details?.causes?.length ?? 0) > 0, 'the error names the fields')
      },
    })),
    ...Object.entries(invalid).flatMap(([title, spoil]) =>
      subject.caseFor(
        ['create', 'update', 'patch', 'delete'],
        `no update, patch or apply makes an object invalid: ${title}`,
        () => staysValid(subject, spoil),
      ),
    ),
    ...subject.caseFor(['create'], 'an object of another kind is a 400', async () => {
      const answer = await subject.raw('POST', '', {}, { ...subject.sample(), kind: `Other${resource.kind}` })
      assert.equal(answer.status, 400)
    }),
    ...subject.caseFor(['create', 'update', 'delete'], 'an update with an outdated version is a conflict', async () => {
      const client = await subject.client()
      const made = await subject.created()
      const updated = await client.update(subject.changed(made))
      assert.notEqual(updated.metadata.resourceVersion, made.metadata.resourceVersion)
      assert.equal(updated.metadata.uid, made.metadata.uid)
      await refused(client.update(subject.changed(made)), 409, 'Conflict')
      await subject.removed(updated)
    }),
    ...subject.caseFor(['create', 'update', 'delete'], 'an update that changes nothing keeps the version', async () => {
      const client = await subject.client()
      const made = await subject.created()
      const same = await client.update(made)
      assert.equal(same.metadata.resourceVersion, made.metadata.resourceVersion)
      await subject.removed(made)
    }),
    ...subject.caseFor(['create', 'update', 'delete'], 'identity is immutable', async () => {
      const client = await subject.client()
      const made = await subject.created()
      await refused(
        client.update({ ...made, metadata: { ...made.metadata, uid: '00000000-0000-0000-0000-000000000000' } }),
        409,
      )
      await subject.removed(made)
    }),
    ...subject.caseFor(['create', 'patch', 'delete'], 'merge patch and JSON patch change labels', async () => {
      const client = await subject.client()
      const made = await subject.created(object => {
        object.metadata.labels = { a: '1' }
      })
      const name = made.metadata.name ?? ''
      const merged = await client.patch(name, { metadata: { labels: { b: '2' } } })
      assert.deepEqual(merged.metadata.labels, { ...made.metadata.labels, b: '2' })
      const removed = await client.patch(name, [{ op: 'remove', path: '/metadata/labels/b' }], { type: 'json' })
      assert.deepEqual(removed.metadata.labels, made.metadata.labels)
      await refused(client.patch('no-such-object', { metadata: {} }), 404, 'NotFound')
      await subject.removed(made)
    }),
    ...subject.caseFor(['create', 'delete'], 'generateName generates an unused name', async () => {
      // A type with fixed names cannot have a second object.
      if (subject.request.valid().metadata?.name !== undefined) return
      const made = await subject.created(object => {
        delete object.metadata.name
        object.metadata.generateName = 'made-'
      })
      assert.match(made.metadata.name ?? '', /^made-[a-z0-9]{5}$/)
      await subject.removed(made)
    }),
  ]
}

/** Each way to change an object is rejected, or leaves the field unchanged. */
async function staysValid(subject: ConformanceSubject, spoil: (object: ApiObject) => void): Promise<void> {
  const { group, kind } = subject.request.resource
  const apiVersion = group === '' ? subject.version : `${group}/${subject.version}`
  const made = await subject.created()
  const name = made.metadata.name ?? ''
  const spoiled = structuredClone(made)
  spoil(spoiled)
  const whole = { ...spoiled, apiVersion, kind, metadata: { ...spoiled.metadata, managedFields: undefined } }
  const applied = { ...whole, metadata: { name, labels: spoiled.metadata.labels } }
  const ways: readonly [what: string, method: string, query: string, type: string, body: object][] = [
    ['an update', 'PUT', '', 'application/json', whole],
    ['a merge patch', 'PATCH', '', 'application/merge-patch+json', mergePatch(made, spoiled)],
    ['an apply', 'PATCH', '?fieldManager=conformance&force=true', 'application/apply-patch+yaml', applied],
  ]
  for (const [what, method, query, type, body] of ways) {
    const { status, text } = await subject.raw(method, `/${name}${query}`, { 'content-type': type }, body)
    if (status >= 400 && status < 500) continue
    assert.ok(status < 500, `${what} answers ${status}: ${text}`)
    // An apply does not remove what another manager set, so a field that the change removes stays.
    const after = fieldsOf(JSON.parse(text) as ApiObject)
    assert.deepEqual(after, fieldsOf(made), `${what} is accepted and makes the object invalid`)
  }
  await subject.removed(made)
}

/** Everything but what every write changes. */
const fieldsOf = ({ metadata, ...rest }: ApiObject) => ({ ...rest, labels: metadata.labels, name: metadata.name })

/** The merge patch (RFC 7386) that turns one value into the other. */
function mergePatch(before: object, after: object): object {
  const patch: Record<string, unknown> = {}
  const [left, right] = [before as Record<string, unknown>, after as Record<string, unknown>]
  for (const key of Object.keys(left)) if (!(key in right)) patch[key] = null
  for (const [key, value] of Object.entries(right)) {
    if (isDeepStrictEqual(left[key], value)) continue
    patch[key] = isRecord(left[key]) && isRecord(value) ? mergePatch(left[key], value) : value
  }
  return patch
}

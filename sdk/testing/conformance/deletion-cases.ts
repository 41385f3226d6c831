import * as assert from 'node:assert/strict'
import type { ConformanceCase } from './conformance-case.js'
import { type ConformanceSubject, refused } from './conformance-subject.js'

/** Deletion in two phases, preconditions and collections. */
export function deletionCases(subject: ConformanceSubject): ConformanceCase[] {
  return [
    ...subject.caseFor(
      ['create', 'delete', 'patch', 'get'],
      'a finalizer holds a deleted object until it is removed',
      async () => {
        const client = await subject.client()
        const made = await subject.created(object => {
          object.metadata.finalizers = ['example.com/hold']
        })
        const name = made.metadata.name ?? ''
        await client.delete(name, { gracePeriodSeconds: 0 })
        const held = await client.get(name)
        assert.ok(held.metadata.deletionTimestamp)
        await refused(client.patch(name, { metadata: { finalizers: ['example.com/hold', 'example.com/late'] } }), 422)
        await client.patch(name, { metadata: { finalizers: null } })
        await subject.removed(held)
        assert.equal(await client.find(name), undefined)
      },
    ),
    ...subject.caseFor(['create', 'delete'], 'preconditions protect another object of the same name', async () => {
      const client = await subject.client()
      const made = await subject.created()
      const name = made.metadata.name ?? ''
      await refused(
        client.delete(name, { preconditions: { uid: '00000000-0000-0000-0000-000000000000' } }),
        409,
        'Conflict',
      )
      await refused(client.delete(name, { preconditions: { resourceVersion: '1' } }), 409, 'Conflict')
      await subject.removed(made)
    }),
    ...subject.caseFor(['delete'], 'deleting a missing object is a 404', async () => {
      await refused((await subject.client()).delete('no-such-object'), 404, 'NotFound')
    }),
    ...subject.caseFor(
      ['create', 'deletecollection', 'list'],
      'deletecollection deletes only the selected objects',
      async () => {
        const client = await subject.client()
        const doomed = await subject.created(object => {
          object.metadata.labels = { doomed: 'yes' }
        })
        // A type with fixed names cannot have a second object.
        const other = subject.request.valid().metadata?.name === undefined ? await subject.created() : undefined
        await client.deleteCollection({ labelSelector: 'doomed=yes', gracePeriodSeconds: 0 })
        const left = await client.find(doomed.metadata.name ?? '')
        assert.ok(left === undefined || left.metadata.deletionTimestamp !== undefined)
        await subject.removed(doomed)
        if (!other) return
        assert.deepEqual(await client.find(other.metadata.name ?? ''), other, 'objects that are not selected stay')
        await subject.removed(other)
      },
    ),
  ]
}

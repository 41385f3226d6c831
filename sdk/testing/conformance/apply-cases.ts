import * as assert from 'node:assert/strict'
import type { ApiObject } from '../../resource/meta.js'
import type { ConformanceCase } from './conformance-case.js'
import { type ConformanceSubject, refused } from './conformance-subject.js'

/** Server-side apply: who owns what, and what follows from it. */
export function applyCases(subject: ConformanceSubject): ConformanceCase[] {
  const { group, kind } = subject.request.resource
  const apiVersion = group === '' ? subject.version : `${group}/${subject.version}`
  const applied = (labels: Record<string, string>) =>
    subject.sample(object => {
      Object.assign(object, { apiVersion, kind })
      object.metadata.labels = labels
    })
  const labelled = ({ metadata: { name } }: ApiObject, labels: Record<string, string>): ApiObject => ({
    apiVersion,
    kind,
    metadata: { name, labels },
  })
  return [
    ...subject.caseFor(
      ['create', 'patch', 'delete'],
      'apply creates, owns, conflicts and yields to force',
      async () => {
        const client = await subject.client()
        const base = applied({ tier: 'gold' })
        const made = await client.apply(base, { fieldManager: 'first' })
        assert.ok(made.metadata.managedFields?.some(entry => entry.manager === 'first' && entry.operation === 'Apply'))
        const again = await client.apply(base, { fieldManager: 'first' })
        assert.equal(
          again.metadata.resourceVersion,
          made.metadata.resourceVersion,
          'applying the same object changes nothing',
        )
        const other = { ...base, metadata: { ...base.metadata, labels: { tier: 'silver' } } }
        await refused(client.apply(other, { fieldManager: 'second' }), 409, 'Conflict')
        const forced = await client.apply(other, { fieldManager: 'second', force: true })
        assert.equal(forced.metadata.labels?.['tier'], 'silver')
        await subject.removed(forced)
      },
    ),
    ...subject.caseFor(
      ['create', 'patch', 'delete'],
      'fields that a manager no longer applies are removed, those of others stay',
      async () => {
        const client = await subject.client()
        const base = applied({ stays: '1', goes: '1' })
        await client.apply(base, { fieldManager: 'first' })
        await client.apply(labelled(base, { other: '1' }), { fieldManager: 'second' })
        const less = { ...base, metadata: { ...base.metadata, labels: { stays: '1' } } }
        const after = await client.apply(less, { fieldManager: 'first' })
        const { stays, goes, other } = after.metadata.labels ?? {}
        assert.deepEqual([stays, goes, other], ['1', undefined, '1'])
        await subject.removed(after)
      },
    ),
    ...subject.caseFor(
      ['create', 'get', 'patch', 'delete'],
      'applying an object as it was read changes no field',
      async () => {
        const client = await subject.client()
        const made = await subject.created()
        const { managedFields: _, ...metadata } = made.metadata
        const after = await client.apply({ ...made, metadata }, { fieldManager: 'reader', force: true })
        const { metadata: before, ...contents } = made
        const { metadata: now, ...kept } = after
        assert.deepEqual(kept, contents)
        assert.deepEqual([now.uid, now.labels], [before.uid, before.labels])
        await subject.removed(after)
      },
    ),
  ]
}

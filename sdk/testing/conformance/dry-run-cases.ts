import * as assert from 'node:assert/strict'
import type { ConformanceCase } from './conformance-case.js'
import type { ConformanceSubject } from './conformance-subject.js'

/** A dry run returns what the real request would and has no effect. */
export function dryRunCases(subject: ConformanceSubject): ConformanceCase[] {
  const dry = { dryRun: true } as const
  return [
    ...subject.caseFor(
      ['create', 'get', 'delete'],
      'a dry run of create creates nothing and returns what the real request would',
      async () => {
        const client = await subject.client()
        const sample = subject.sample()
        const promised = await client.create(sample, dry)
        assert.ok(promised.metadata.uid)
        assert.equal(await client.find(sample.metadata.name ?? ''), undefined)
        const made = await client.create(sample)
        assert.deepEqual(Object.keys(promised).sort(), Object.keys(made).sort())
        await subject.removed(made)
      },
    ),
    ...subject.caseFor(
      ['create', 'get', 'update', 'patch', 'delete'],
      'dry runs of update, patch and apply change nothing and show what they would change',
      async () => {
        const client = await subject.client()
        const made = await subject.created()
        const name = made.metadata.name ?? ''
        const labels = { 'conformance-dry': 'yes' }
        const change = { metadata: { labels } }
        const updated = await client.update(
          { ...made, metadata: { ...made.metadata, labels: { ...made.metadata.labels, ...labels } } },
          dry,
        )
        const patched = await client.patch(name, change, dry)
        const applied = await client.patch(
          name,
          { apiVersion: made.apiVersion, kind: made.kind, ...change },
          { ...dry, type: 'apply', fieldManager: 'dry' },
        )
        for (const shown of [updated, patched, applied])
          assert.equal(shown.metadata.labels?.['conformance-dry'], 'yes', 'a dry run shows the change')
        assert.deepEqual(await client.get(name), made, 'a dry run changes nothing')
        await subject.removed(made)
      },
    ),
    ...subject.caseFor(['create', 'delete', 'get'], 'a dry run of delete deletes nothing', async () => {
      const client = await subject.client()
      const made = await subject.created()
      await client.delete(made.metadata.name ?? '', dry)
      if (subject.has('deletecollection'))
        await client.deleteCollection({ ...dry, fieldSelector: `metadata.name=${made.metadata.name}` })
      assert.deepEqual(await client.get(made.metadata.name ?? ''), made)
      await subject.removed(made)
    }),
  ]
}

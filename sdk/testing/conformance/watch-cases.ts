import * as assert from 'node:assert/strict'
import type { WatchEvent } from '../../client/client.js'
import type { ApiObject } from '../../resource/meta.js'
import type { ConformanceCase } from './conformance-case.js'
import type { ConformanceSubject } from './conformance-subject.js'

/** Collects events of one watch until there are enough of them. */
async function eventsOf(events: AsyncIterable<WatchEvent<ApiObject>>, count: number): Promise<WatchEvent<ApiObject>[]> {
  const seen: WatchEvent<ApiObject>[] = []
  if (count === 0) return seen
  for await (const event of events) {
    if (event.type === 'BOOKMARK') continue
    seen.push(event)
    if (seen.length >= count) break
  }
  return seen
}

/** Watches: order, resume, initial state and selector transitions. */
export function watchCases(subject: ConformanceSubject): ConformanceCase[] {
  return [
    ...subject.caseFor(
      ['watch', 'list', 'create', 'update', 'delete'],
      'a watch reports every change once, in order, and resumes at any version',
      async () => {
        const client = await subject.client()
        const { metadata } = await client.list()
        const made = await subject.created()
        const updated = await client.update(subject.changed(made))
        await subject.removed(updated)
        const fieldSelector = `metadata.name=${made.metadata.name}`
        const from = (resourceVersion: string, count: number) =>
          eventsOf(client.watch({ fieldSelector, resourceVersion, timeoutSeconds: 30 }), count)
        const all = await from(metadata.resourceVersion, 3)
        assert.equal(all[0]?.type, 'ADDED')
        assert.equal(all[0]?.object.metadata.resourceVersion, made.metadata.resourceVersion)
        const versions = all.map(event => Number(event.object.metadata.resourceVersion))
        assert.deepEqual(
          versions,
          [...versions].sort((left, right) => left - right),
        )
        const rest = await from(all[0]?.object.metadata.resourceVersion ?? '', 2)
        assert.deepEqual(rest, all.slice(1))
      },
    ),
    ...subject.caseFor(
      ['watch', 'create', 'delete'],
      'a watch without a version starts with the existing objects',
      async () => {
        const client = await subject.client()
        const made = await subject.created()
        const [event] = await eventsOf(
          client.watch({ fieldSelector: `metadata.name=${made.metadata.name}`, timeoutSeconds: 30 }),
          1,
        )
        assert.equal(event?.type, 'ADDED')
        assert.deepEqual(event?.object, made)
        await subject.removed(made)
      },
    ),
    ...subject.caseFor(
      ['watch', 'list', 'create', 'patch', 'delete'],
      'an object that enters or leaves a selection is added or deleted',
      async () => {
        const client = await subject.client()
        const { metadata } = await client.list()
        const made = await subject.created()
        const name = made.metadata.name ?? ''
        await client.patch(name, { metadata: { labels: { 'conformance-watch': 'in' } } })
        await client.patch(name, { metadata: { labels: { 'conformance-watch': 'out' } } })
        const labelSelector = 'conformance-watch=in'
        const seen = await eventsOf(
          client.watch({ labelSelector, resourceVersion: metadata.resourceVersion, timeoutSeconds: 30 }),
          2,
        )
        assert.deepEqual(
          seen.map(event => event.type),
          ['ADDED', 'DELETED'],
        )
        await subject.removed(made)
      },
    ),
  ]
}

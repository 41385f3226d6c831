import * as assert from 'node:assert/strict'
import type { ConformanceCase } from './conformance-case.js'
import { type ConformanceSubject, refused } from './conformance-subject.js'

/** Other ways to write the same object: `status`, `approval`, … */
export function subresourceCases(subject: ConformanceSubject): ConformanceCase[] {
  const { subresources = {} } = subject.request.resource
  return Object.entries(subresources).flatMap(([name, definition]) => {
    const verbs = definition.kind === 'update' ? (definition.verbs ?? ['get', 'update', 'patch']) : []
    if (!verbs.includes('update')) return []
    return subject.caseFor(['create', 'get', 'delete'], `${name} can be read and written back unchanged`, async () => {
      const client = await subject.client()
      const made = await subject.created()
      if (verbs.includes('get')) {
        const shown = await subject.raw('GET', `/${made.metadata.name}/${name}`)
        assert.deepEqual([shown.status, shown.json()['metadata']], [200, made.metadata])
      }
      const after = await client.updateSubresource(name, made)
      assert.equal(after.metadata.resourceVersion, made.metadata.resourceVersion, 'writing it back changes nothing')
      const stale = { ...made, metadata: { ...made.metadata, resourceVersion: '1' } }
      await refused(client.updateSubresource(name, stale), 409, 'Conflict')
      // With a uid it would be a precondition that no missing object meets.
      const { uid, ...metadata } = made.metadata
      const absent = { ...made, metadata: { ...metadata, name: 'no-such-object' } }
      await refused(client.updateSubresource(name, absent), 404, 'NotFound')
      await subject.removed(made)
    })
  })
}

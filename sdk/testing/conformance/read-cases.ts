import * as assert from 'node:assert/strict'
import type { ConformanceCase } from './conformance-case.js'
import { type ConformanceSubject, refused } from './conformance-subject.js'

/** Get, and what is rejected before any verb runs. */
export function readCases(subject: ConformanceSubject): ConformanceCase[] {
  return [
    ...subject.caseFor(['get', 'create', 'delete'], 'get returns what create returned', async () => {
      const client = await subject.client()
      const made = await subject.created()
      assert.deepEqual(await client.get(made.metadata.name ?? ''), made)
      await subject.removed(made)
    }),
    ...subject.caseFor(['get'], 'get of a missing object is a 404', async () => {
      await refused((await subject.client()).get('no-such-object'), 404, 'NotFound')
    }),
    ...subject.caseFor(['get'], 'a version from the future times out with Retry-After', async () => {
      const answer = await subject.raw('GET', '/no-such-object?resourceVersion=999999999999')
      assert.equal(answer.status, 504)
      assert.equal(answer.headers.get('retry-after'), '1')
    }),
    ...subject.caseFor(['get'], 'an unsupported media type is a 406', async () => {
      assert.equal((await subject.raw('GET', '/any', { accept: 'application/x-unserved' })).status, 406)
    }),
    {
      name: 'an unsupported method is a 405',
      run: async () => {
        assert.equal((await subject.raw('OPTIONS', '')).status, 405)
      },
    },
    ...subject.caseFor(['create'], 'a malformed body is a 400 and changes nothing', async () => {
      for (const body of ['{', '[]', '"text"', '{"metadata":5}', '{"metadata":{"name":5}}']) {
        assert.equal((await subject.raw('POST', '', {}, body)).status, 400, body)
      }
    }),
    ...subject.caseFor(['create'], 'an unknown media type of the body is a 415', async () => {
      assert.equal((await subject.raw('POST', '', { 'content-type': 'text/plain' }, 'x')).status, 415)
    }),
    ...subject.caseFor(
      ['create', 'get', 'delete'],
      'strict field validation rejects an unknown field, the default drops it',
      async () => {
        const sample = { ...subject.sample(), noSuchField: 1 }
        assert.equal((await subject.raw('POST', '?fieldValidation=Strict', {}, sample)).status, 400)
        const warned = await subject.raw('POST', '?fieldValidation=Warn', {}, sample)
        assert.equal(warned.status, 201)
        assert.match(warned.headers.get('warning') ?? '', /noSuchField/)
        assert.equal(warned.json()['noSuchField'], undefined)
        await subject.removed(sample)
      },
    ),
  ]
}

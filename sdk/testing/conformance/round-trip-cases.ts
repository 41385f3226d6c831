import * as assert from 'node:assert/strict'
import type { ConformanceCase } from './conformance-case.js'
import type { ConformanceSubject } from './conformance-subject.js'
import { objectPath } from './description-cases.js'

/** Reading an object in one form and writing it back changes nothing: for every media type and every served version. */
export function roundTripCases(subject: ConformanceSubject): ConformanceCase[] {
  const others = subject.request.resource.versions.slice(1).filter(version => version.served !== false)
  const inEveryVersion = subject.caseFor(
    ['create', 'get', 'update', 'delete'],
    'an object round-trips in every version',
    async () => {
      const made = await subject.created()
      for (const { name } of others) {
        // A version may be off: alpha ones are, by default.
        if ((await subject.raw('GET', `/${made.metadata.name}`, {}, undefined, name)).status === 404) continue
        await unchanged(subject, made, 'application/json', name)
      }
      await subject.removed(made)
    },
  )
  return [
    ...subject.caseFor(
      ['create', 'get', 'update', 'delete'],
      'an object round-trips in every media type that OpenAPI lists',
      async () => {
        const { paths } = await subject.openApi()
        const types = (paths[objectPath(subject)]?.['get']?.produces ?? []).filter(type => !type.includes(';'))
        assert.ok(types.includes('application/json'))
        const made = await subject.created()
        for (const type of types) await unchanged(subject, made, type)
        await subject.removed(made)
      },
    ),
    ...(others.length === 0 ? [] : inEveryVersion),
  ]
}

async function unchanged(
  subject: ConformanceSubject,
  made: { metadata: { name?: string } },
  type: string,
  version?: string,
): Promise<void> {
  const suffix = `/${made.metadata.name}`
  const read = await subject.raw('GET', suffix, { accept: type }, undefined, version)
  assert.equal(read.status, 200, `GET as ${type}: ${read.text}`)
  assert.ok(read.headers.get('content-type')?.startsWith(type), `asked for ${type}`)
  const written = await subject.raw('PUT', suffix, { 'content-type': type }, read.bytes, version)
  assert.equal(written.status, 200, `PUT as ${type}: ${written.text}`)
  const after = await (await subject.client()).get(made.metadata.name ?? '')
  assert.deepEqual(after, made, `${version ?? ''} ${type} changes nothing`)
}

import * as assert from 'node:assert/strict'
import type { ApiObject } from '../../resource/meta.js'
import type { ConformanceCase } from './conformance-case.js'
import { type ConformanceSubject, refused } from './conformance-subject.js'

const mine = { 'conformance-list': 'yes' }
const label = (object: ApiObject) => {
  object.metadata.labels = { ...object.metadata.labels, ...mine }
}
const labelSelector = 'conformance-list=yes'
const namesOf = (objects: readonly ApiObject[]) => objects.map(object => object.metadata.name)

/** Lists, pages, selectors and versions. */
export function listCases(subject: ConformanceSubject): ConformanceCase[] {
  const three = async () => [await subject.created(label), await subject.created(label), await subject.created(label)]
  const hasOneNameOnly =
    subject.request.valid().metadata !== undefined && 'name' in (subject.request.valid().metadata ?? {})
  if (hasOneNameOnly) return []
  return [
    ...subject.caseFor(
      ['list', 'create', 'delete'],
      'all pages have the version of the first, and together they are complete',
      async () => {
        const client = await subject.client()
        const made = await three()
        const first = await client.list({ labelSelector, limit: 1 })
        assert.equal(first.items.length, 1)
        const late = await subject.created(label)
        const seen = [...first.items]
        for (let next = first.metadata.continue; next; ) {
          const page = await client.list({ labelSelector, limit: 1, continue: next })
          assert.equal(page.metadata.resourceVersion, first.metadata.resourceVersion)
          seen.push(...page.items)
          next = page.metadata.continue
        }
        assert.deepEqual(namesOf(seen).sort(), namesOf(made).sort())
        for (const object of [...made, late]) await subject.removed(object)
      },
    ),
    ...subject.caseFor(['list', 'create', 'delete'], 'label and field selectors select', async () => {
      const client = await subject.client()
      const made = await three()
      const other = await subject.created()
      assert.equal((await client.list({ labelSelector })).items.length, 3)
      const name = made[1]?.metadata.name ?? ''
      assert.deepEqual(namesOf((await client.list({ fieldSelector: `metadata.name=${name}` })).items), [name])
      const without = await client.list({ labelSelector: '!conformance-list' })
      assert.ok(namesOf(without.items).includes(other.metadata.name))
      await refused(client.list({ fieldSelector: 'no.such.field=1' }), 400, 'BadRequest')
      await refused(client.list({ labelSelector: 'a in (' }), 400, 'BadRequest')
      for (const object of [...made, other]) await subject.removed(object)
    }),
    ...subject.caseFor(['list', 'create', 'delete'], 'a list at an exact version shows that version', async () => {
      const client = await subject.client()
      const made = await three()
      const { metadata } = await client.list({ labelSelector })
      for (const object of made) await subject.removed(object)
      const exact = { labelSelector, resourceVersion: metadata.resourceVersion, resourceVersionMatch: 'Exact' } as const
      const past = await client.list(exact)
      assert.equal(past.metadata.resourceVersion, metadata.resourceVersion)
      assert.equal(past.items.length, 3)
    }),
    ...subject.caseFor(['list'], 'invalid combinations of versions and pages are rejected', async () => {
      const client = await subject.client()
      await refused(client.list({ resourceVersionMatch: 'Exact' }), 422)
      await refused(client.list({ resourceVersion: '0', resourceVersionMatch: 'Exact' }), 422)
      await refused(client.list({ limit: 1, continue: 'not-a-token' }), 400)
    }),
  ]
}

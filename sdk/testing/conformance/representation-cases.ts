import * as assert from 'node:assert/strict'
import type { ConformanceCase } from './conformance-case.js'
import type { ConformanceSubject } from './conformance-subject.js'

/** The forms of a response. */
export function representationCases(subject: ConformanceSubject): ConformanceCase[] {
  const metaType = async (as: string) => `application/json;as=${as};v=v1;g=${await metaGroup(subject)}`
  return [
    ...subject.caseFor(
      ['list', 'create', 'delete'],
      'a Table has a row for every object and a cell for every column',
      async () => {
        const made = await subject.created()
        const answer = await subject.raw('GET', '', { accept: await metaType('Table') })
        assert.equal(answer.status, 200, answer.text)
        const table = answer.json() as { kind: string; columnDefinitions: unknown[]; rows: { cells: unknown[] }[] }
        assert.equal(table.kind, 'Table')
        assert.ok(table.rows.length > 0)
        for (const row of table.rows) {
          assert.equal(row.cells.length, table.columnDefinitions.length)
          // What a WebAssembly module shows whose function fails.
          assert.ok(!row.cells.includes('<error>'), 'the function of a column fails')
        }
        await subject.removed(made)
      },
    ),
    ...subject.caseFor(['get', 'create', 'delete'], 'metadata alone is served on request', async () => {
      const made = await subject.created()
      const answer = await subject.raw('GET', `/${made.metadata.name}`, {
        accept: await metaType('PartialObjectMetadata'),
      })
      assert.deepEqual(answer.json()['metadata'], made.metadata)
      assert.deepEqual(Object.keys(answer.json()).sort(), ['apiVersion', 'kind', 'metadata'])
      if (subject.has('list')) {
        const list = await subject.raw('GET', '', { accept: await metaType('PartialObjectMetadataList') })
        const { items } = list.json() as { items: { metadata: { uid?: string } }[] }
        const mine = items.find(({ metadata }) => metadata.uid === made.metadata.uid)
        assert.deepEqual(mine, answer.json())
      }
      await subject.removed(made)
    }),
    ...subject.caseFor(['get', 'create', 'delete'], 'YAML is served on request', async () => {
      const made = await subject.created()
      const answer = await subject.raw('GET', `/${made.metadata.name}`, { accept: 'application/yaml' })
      assert.match(answer.headers.get('content-type') ?? '', /^application\/yaml/)
      assert.ok(
        ['', '"', "'"].some(quote => answer.text.includes(`name: ${quote}${made.metadata.name}`)),
        answer.text,
      )
      await subject.removed(made)
    }),
  ]
}

/** The group of the meta types, as the server itself spells it in a refusal. */
async function metaGroup(subject: ConformanceSubject): Promise<string> {
  const answer = await subject.raw('GET', '?resourceVersionMatch=Exact')
  const { details } = answer.json() as { details?: { group?: string } }
  return details?.group ?? ''
}

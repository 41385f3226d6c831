import * as assert from 'node:assert/strict'
import type { ConformanceCase } from './conformance-case.js'
import type { ConformanceSubject } from './conformance-subject.js'

/** The forms an answer can take. */
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
        for (const row of table.rows) assert.equal(row.cells.length, table.columnDefinitions.length)
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
      await subject.removed(made)
    }),
    ...subject.caseFor(['get', 'create', 'delete'], 'YAML is served on request', async () => {
      const made = await subject.created()
      const answer = await subject.raw('GET', `/${made.metadata.name}`, { accept: 'application/yaml' })
      assert.match(answer.headers.get('content-type') ?? '', /^application\/yaml/)
      assert.match(answer.text, new RegExp(`name: ["']?${made.metadata.name}`))
      await subject.removed(made)
    }),
    {
      name: 'discovery and OpenAPI name the type',
      run: async () => {
        const { group, resource, kind } = subject.request.resource
        const { client } = await subject.server()
        const path = group === '' ? `/api/${subject.version}` : `/apis/${group}/${subject.version}`
        const { resources } = await client.request<{ resources: { name: string; kind: string }[] }>({
          method: 'GET',
          path,
          headers: {},
        })
        assert.equal(resources.find(each => each.name === resource)?.kind, kind)
        // The document is JSON whatever media type it is sent with.
        const { baseUrl, token } = await subject.server()
        const document = await fetch(`${baseUrl}/openapi/v2`, { headers: { authorization: `Bearer ${token}` } })
        const openApi = JSON.parse(await document.text()) as { paths: Record<string, unknown> }
        assert.ok(Object.keys(openApi.paths).some(each => each.startsWith(path) && each.endsWith(`/${resource}`)))
      },
    },
  ]
}

/** The group of the meta types, as the server itself spells it in a refusal. */
async function metaGroup(subject: ConformanceSubject): Promise<string> {
  const answer = await subject.raw('GET', '?resourceVersionMatch=Exact')
  const { details } = answer.json() as { details?: { group?: string } }
  return details?.group ?? ''
}

import * as assert from 'node:assert/strict'
import type { ConformanceCase } from './conformance-case.js'
import type { ConformanceSubject, OpenApiDocument, OpenApiSchema } from './conformance-subject.js'

/** The description of the type: discovery and OpenAPI. */
export function descriptionCases(subject: ConformanceSubject): ConformanceCase[] {
  return [
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
        const { paths } = await subject.openApi()
        assert.ok(Object.keys(paths).some(each => each.startsWith(path) && each.endsWith(`/${resource}`)))
      },
    },
    ...subject.caseFor(['create', 'get', 'delete'], 'OpenAPI describes every field of an object', async () => {
      const document = await subject.openApi()
      const schema = document.paths[objectPath(subject)]?.['get']?.responses?.['200']?.schema
      assert.ok(schema, `OpenAPI describes the response of GET ${objectPath(subject)}`)
      const made = await subject.created()
      assert.deepEqual(undescribed(document, schema, made, subject.request.resource.kind), [])
      await subject.removed(made)
    }),
  ]
}

/** The path of one object, as OpenAPI writes it. */
export const objectPath = (subject: ConformanceSubject): string =>
  `${subject.path().replace(/\/namespaces\/[^/]+\//, '/namespaces/{namespace}/')}/{name}`

/** Paths of a value that are missing in its schema. */
function undescribed(document: OpenApiDocument, schema: OpenApiSchema, value: unknown, at: string): string[] {
  const { $ref } = schema
  const { properties, additionalProperties, items, type } =
    $ref === undefined ? schema : (document.definitions[$ref.slice('#/definitions/'.length)] ?? {})
  if (Array.isArray(value)) {
    return items ? value.flatMap((item, index) => undescribed(document, items, item, `${at}[${index}]`)) : [at]
  }
  // Null is a field that is not set.
  if (value === null) return []
  if (typeof value !== 'object') return properties ? [at] : []
  // An object without a description of its fields may hold anything.
  if (!properties && !additionalProperties) return type === undefined || type === 'object' ? [] : [at]
  return Object.entries(value).flatMap(([key, inner]) => {
    const described = properties?.[key] ?? additionalProperties
    return described ? undescribed(document, described, inner, `${at}.${key}`) : [`${at}.${key}`]
  })
}

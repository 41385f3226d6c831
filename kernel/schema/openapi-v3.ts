import { createHash } from 'node:crypto'
import type { Vendor } from 'orch/sdk'
import { Definitions, type Json, type SchemaDialect } from './openapi/definitions.js'
import { capitalised, OpenApiNames } from './openapi/names.js'
import type { Operation } from './openapi/operation.js'
import { describeOperations, type ServedType } from './openapi/operations.js'
import type { Parameter } from './openapi/parameters.js'
import { describePaths } from './openapi/path-items.js'
import { statusTexts } from './openapi-v2.js'

const dialect: SchemaDialect = {
  refPrefix: '#/components/schemas/',
  // A reference stands alone in OpenAPI 3.0; what is said beside it needs a wrapper.
  withSiblings: (reference, siblings) =>
    Object.keys(siblings).length === 0 ? reference : { ...siblings, allOf: [reference] },
  scalars: {
    time: { description: 'RFC 3339 time with seconds.', format: 'date-time', type: 'string' },
    microTime: { description: 'RFC 3339 time with microseconds.', format: 'date-time', type: 'string' },
    quantity: {
      description: 'A fixed-point number with a unit, such as 500m or 1Gi.',
      oneOf: [{ type: 'string' }, { type: 'number' }],
    },
    intOrString: {
      description: 'A number or a string.',
      format: 'int-or-string',
      oneOf: [{ type: 'integer' }, { type: 'string' }],
    },
    raw: { description: 'An object of any type.', type: 'object' },
  },
}

/** The OpenAPI v3 documents, one for each group version, by their path below `/openapi/v3/` (`api/v1`, `apis/<group>/v1`). */
export function openApiV3(types: readonly ServedType[], vendor: Vendor): Map<string, Json> {
  const byPath = new Map<string, ServedType[]>()
  for (const type of types) {
    const { group } = type.definition
    const path = group === '' ? `api/${type.version.name}` : `apis/${group}/${type.version.name}`
    byPath.set(path, [...(byPath.get(path) ?? []), type])
  }
  const sorted = [...byPath].sort(([left], [right]) => (left < right ? -1 : 1))
  return new Map(sorted.map(([path, served]) => [path, groupVersionDocument(served, vendor)]))
}

/** What `/openapi/v3` itself answers: where the documents are. The hash lets clients cache them for good. */
export function openApiV3Index(documents: ReadonlyMap<string, Json>): Json {
  const paths: Json = {}
  for (const [path, document] of documents) {
    const hash = createHash('sha512').update(JSON.stringify(document)).digest('hex').toUpperCase()
    paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` }
  }
  return { paths }
}

function groupVersionDocument(types: readonly ServedType[], vendor: Vendor): Json {
  const names = new OpenApiNames(vendor)
  const definitions = new Definitions(names, dialect)
  const operations = describeOperations(types, vendor, names, definitions)
  const paths = describePaths(operations, {
    describe: (operation, own) => describe(operation, own, names, definitions),
    parameterObject,
  })
  return {
    openapi: '3.0.0',
    info: { title: capitalised(vendor.name), version: vendor.profile.version.gitVersion },
    paths,
    components: {
      schemas: definitions.toJSON(),
      securitySchemes: {
        BearerToken: {
          type: 'apiKey',
          description: 'Bearer Token authentication',
          name: 'authorization',
          in: 'header',
        },
      },
    },
    security: [{ BearerToken: [] }],
  }
}

function describe(
  operation: Operation,
  own: readonly Parameter[],
  names: OpenApiNames,
  definitions: Definitions,
): Json {
  const { body, action, kind } = operation
  const content = (mediaTypes: readonly string[], definition: string): Json =>
    Object.fromEntries(mediaTypes.map(type => [type, { schema: definitions.reference(definition) }]))
  return {
    tags: [operation.tag],
    description: operation.description,
    operationId: operation.id,
    ...(own.length > 0 ? { parameters: own.map(parameterObject) } : {}),
    ...(body
      ? {
          requestBody: {
            content: content(operation.consumes, body.definition),
            ...(body.isRequired ? { required: true } : {}),
          },
        }
      : {}),
    responses: Object.fromEntries(
      Object.entries(operation.responses).map(([code, definition]) => [
        code,
        {
          description: statusTexts[code] ?? '',
          ...(definition ? { content: content(operation.produces, definition) } : {}),
        },
      ]),
    ),
    ...(action ? { [names.extension('action')]: action } : {}),
    ...(kind ? { [names.extension('group-version-kind')]: kind } : {}),
  }
}

function parameterObject(parameter: Parameter): Json {
  return {
    name: parameter.name,
    in: parameter.in,
    description: parameter.description,
    ...(parameter.in === 'path' ? { required: true } : {}),
    schema: { type: parameter.type, uniqueItems: true },
  }
}

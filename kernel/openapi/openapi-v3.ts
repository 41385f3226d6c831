import type { Vendor } from 'orch/sdk'
import type { JsonObject } from '../../libs/json/index.js'
import type { Steps } from '../contracts/turns.js'
import { Definitions, type SchemaDialect } from './definitions.js'
import type { DocumentContents } from './document-parts.js'
import { capitalised, OpenApiNames } from './names.js'
import { statusTexts } from './openapi-v2.js'
import type { Operation, ServedType } from './operation.js'
import { describeOperations } from './operations.js'
import type { Parameter } from './parameters.js'
import { describePaths } from './path-items.js'

const dialect: SchemaDialect = {
  isComplete: true,
  refPrefix: '#/components/schemas/',
  // OpenAPI 3.0 ignores keywords beside a reference, so they need a wrapper.
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

/** The types of each document, by its path below `/openapi/v3/`, sorted. */
export function typesByPath(types: readonly ServedType[]): [path: string, types: ServedType[]][] {
  const byPath = new Map<string, ServedType[]>()
  for (const type of types) {
    const { group } = type.definition
    const path = group === '' ? `api/${type.version.name}` : `apis/${group}/${type.version.name}`
    const known = byPath.get(path)
    if (known) known.push(type)
    else byPath.set(path, [type])
  }
  return [...byPath].sort(([left], [right]) => (left < right ? -1 : 1))
}

/** The contents of the document of one group and version for some of its types. */
export function* describeInV3(types: readonly ServedType[], vendor: Vendor): Steps<DocumentContents> {
  const names = new OpenApiNames(vendor)
  const definitions = new Definitions(names, dialect)
  const operations = yield* describeOperations(types, vendor, names, definitions)
  const paths = yield* describePaths(operations, {
    describe: (operation, own) => describe(operation, own, names, definitions),
    parameterObject,
  })
  return { paths, schemas: definitions.toJSON() }
}

/** The document of one group and version with these contents. */
export function groupVersionDocument({ paths, schemas }: DocumentContents, vendor: Vendor): JsonObject {
  return {
    openapi: '3.0.0',
    info: { title: capitalised(vendor.name), version: vendor.profile.version.gitVersion },
    paths,
    components: {
      schemas,
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
): JsonObject {
  const { body, action, kind } = operation
  const content = (mediaTypes: readonly string[], definition: string): JsonObject =>
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
    ...(kind ? names.kinds(kind) : {}),
  }
}

function parameterObject(parameter: Parameter): JsonObject {
  return {
    name: parameter.name,
    in: parameter.in,
    description: parameter.description,
    ...(parameter.in === 'path' ? { required: true } : {}),
    schema: { type: parameter.type, uniqueItems: true },
  }
}

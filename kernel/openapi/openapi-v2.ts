import { createHash } from 'node:crypto'
import { defineDifference, type Vendor } from 'orch/sdk'
import type { JsonObject } from '../../libs/json/index.js'
import type { Steps } from '../contracts/turns.js'
import { metaType } from '../schema/meta-types.js'
import { Definitions, type SchemaDialect } from './definitions.js'
import type { DocumentContents } from './document-parts.js'
import { capitalised, OpenApiNames } from './names.js'
import type { Operation, ServedType } from './operation.js'
import { describeOperations } from './operations.js'
import type { Parameter } from './parameters.js'
import { describePaths } from './path-items.js'

const dialect: SchemaDialect = {
  isComplete: false,
  refPrefix: '#/definitions/',
  withSiblings: (reference, siblings) => ({ ...reference, ...siblings }),
  scalars: {
    time: { description: 'RFC 3339 time with seconds.', format: 'date-time', type: 'string' },
    microTime: { description: 'RFC 3339 time with microseconds.', format: 'date-time', type: 'string' },
    quantity: { description: 'A fixed-point number with a unit, such as 500m or 1Gi.', type: 'string' },
    intOrString: { description: 'A number or a string.', format: 'int-or-string', type: 'string' },
    raw: { description: 'An object of any type.', type: 'object' },
  },
}

export const describesVersion = defineDifference({
  name: 'openapi-describes-version',
  since: '1.24',
  description: 'The OpenAPI document describes /version.',
  knownFrom: 'recorded',
  additive: true,
})

export const sharesParameters = defineDifference({
  name: 'openapi-v2-shares-parameters',
  since: '1.28',
  description: 'Operations of the OpenAPI v2 document refer to parameters that are described once.',
  knownFrom: 'source',
})

const versionOperation = (names: OpenApiNames, definitions: Definitions): Operation => ({
  path: '/version/',
  method: 'get',
  id: 'getCodeVersion',
  tag: 'version',
  description: 'get the version information for this server',
  consumes: ['application/json'],
  produces: ['application/json'],
  parameters: [],
  responses: { 200: definitions.struct(metaType('VersionInfo', names.level)), 401: undefined },
})

/** The contents of the OpenAPI v2 document for some types. */
export function* describeInV2(types: readonly ServedType[], vendor: Vendor): Steps<DocumentContents> {
  const names = new OpenApiNames(vendor)
  const definitions = new Definitions(names, dialect)
  const operations = yield* describeOperations(types, vendor, names, definitions)
  if (vendor.level.has(describesVersion)) operations.push(versionOperation(names, definitions))
  const shared = vendor.level.has(sharesParameters) ? new SharedParameters(names) : undefined
  const parameterOf = (parameter: JsonObject): JsonObject => shared?.referTo(parameter) ?? parameter
  const paths = yield* describePaths(operations, {
    describe: (operation, own) => describe(operation, own, names, definitions, parameterOf),
    parameterObject: parameter => parameterOf(parameterObject(parameter)),
  })
  return { paths, schemas: definitions.toJSON(), ...(shared ? { parameters: shared.toJSON() } : {}) }
}

/** Parameters that many operations have, described once. */
class SharedParameters {
  readonly #parameters = new Map<string, JsonObject>()
  /** By their contents: thousands of operations have the same few. */
  readonly #references = new Map<string, JsonObject>()
  /** The prefix of definitions of the API itself. */
  readonly #common: string

  constructor(names: OpenApiNames) {
    const [common] = names.definition('meta.v1.Status').split('.apis.')
    this.#common = `#/definitions/${common}`
  }

  /** A reference to a parameter; undefined for one that stays inline. */
  referTo(parameter: JsonObject): JsonObject | undefined {
    if (!this.#isShared(parameter)) return undefined
    const text = JSON.stringify(parameter)
    let reference = this.#references.get(text)
    if (!reference) {
      const hash = createHash('sha256').update(text).digest('base64url').slice(0, 8)
      const name = `${parameter['name']}-${hash}`
      this.#parameters.set(name, parameter)
      this.#references.set(text, (reference = { $ref: `#/parameters/${name}` }))
    }
    return reference
  }

  #isShared(parameter: JsonObject): boolean {
    // Older clients detect features of the server by some of them.
    if (parameter['in'] !== 'body') return !unsharedParameters.has(parameter['name'] as string)
    return String((parameter['schema'] as JsonObject)['$ref'] ?? '').startsWith(this.#common)
  }

  toJSON(): JsonObject {
    return Object.fromEntries(this.#parameters)
  }
}
const unsharedParameters = new Set(['name', 'fieldValidation', 'dryRun'])

/** The OpenAPI v2 document with these contents. */
export function openApiV2({ paths, schemas, parameters = {} }: DocumentContents, vendor: Vendor): JsonObject {
  return {
    swagger: '2.0',
    info: { title: capitalised(vendor.name), version: vendor.profile.version.gitVersion },
    paths,
    definitions: schemas,
    ...(Object.keys(parameters).length > 0 ? { parameters } : {}),
    securityDefinitions: {
      BearerToken: {
        description: 'Bearer Token authentication',
        type: 'apiKey',
        name: 'authorization',
        in: 'header',
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
  parameterOf: (parameter: JsonObject) => JsonObject,
): JsonObject {
  const { body, action, kind } = operation
  const parameters = [
    ...(body
      ? [
          parameterOf({
            in: 'body',
            name: 'body',
            ...(body.isRequired ? { required: true } : {}),
            schema: definitions.reference(body.definition),
          }),
        ]
      : []),
    ...own.map(parameter => parameterOf(parameterObject(parameter))),
  ]
  return {
    description: operation.description,
    consumes: operation.consumes,
    produces: operation.produces,
    schemes: ['https'],
    tags: [operation.tag],
    operationId: operation.id,
    ...(parameters.length > 0 ? { parameters } : {}),
    responses: Object.fromEntries(
      Object.entries(operation.responses).map(([code, definition]) => [
        code,
        { description: statusTexts[code] ?? '', ...(definition ? { schema: definitions.reference(definition) } : {}) },
      ]),
    ),
    ...(action ? { [names.extension('action')]: action } : {}),
    ...(kind ? names.kinds(kind) : {}),
  }
}

export const statusTexts: Readonly<Record<string, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  401: 'Unauthorized',
}

function parameterObject(parameter: Parameter): JsonObject {
  return {
    uniqueItems: true,
    type: parameter.type,
    description: parameter.description,
    name: parameter.name,
    in: parameter.in,
    ...(parameter.in === 'path' ? { required: true } : {}),
  }
}

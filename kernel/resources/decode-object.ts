import { type ApiObject, badRequest, type ResourceDefinition } from 'orch/sdk'
import { bodyFormat, decodeText, parseText } from '../http/decode-body.js'
import type { RequestContext } from '../request/request-context.js'
import { copyJson } from '../schema/copy-json.js'
import { type FieldValidation, maxReported, repeatedFields, reportFindings } from './field-findings.js'
import type { ResourceServices } from './resource-services.js'
import type { CompiledVersion, ResourceType } from './resource-type.js'

/** Reads the body as an object of this version: parsed, checked against the schema, unknown fields dealt with. */
export async function readObject(
  services: ResourceServices,
  context: RequestContext,
  type: ResourceType,
  version: CompiledVersion,
  fieldValidation: FieldValidation,
): Promise<ApiObject> {
  const format = bodyFormat(context.exchange.headers['content-type'], services.vendor)
  const body = await context.exchange.readBody(services.limits.bodyBytes)
  if (format === 'protobuf') {
    const object = services.representations.protobuf.decodeObject(body, type.kind, version)
    context.auditRequest(() => ({ kind: type.kind, apiVersion: version.groupVersion, ...copyJson(object) }))
    context.auditMetadata(object.metadata)
    return object
  }
  const value = parseText(format, body)
  context.auditRequest(() => value)
  const object = decodeValue(context, type.definition, version, value, fieldValidation, unknown =>
    repeatedFields(format, decodeText(body), fieldValidation, unknown),
  )
  context.auditMetadata(object.metadata)
  return object
}

/**
 * Checks a parsed value against the schema of a version. `null` stands for an object without any field. `otherFindings`
 * is told the unknown fields and adds what else field validation found; all of it is reported at once.
 */
export function decodeValue(
  context: RequestContext,
  definition: Pick<ResourceDefinition, 'kind'>,
  version: Pick<CompiledVersion, 'groupVersion' | 'decode'>,
  value: unknown,
  fieldValidation: FieldValidation,
  otherFindings: (unknown: readonly string[]) => readonly string[] = () => [],
): ApiObject {
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw badRequest(
      `the object provided is unrecognized: expected a ${definition.kind}, not ${Array.isArray(value) ? 'a list' : `a ${typeof value}`}`,
    )
  }
  const { apiVersion, kind, ...fields } = (value ?? {}) as Record<string, unknown>
  refuseOtherType(definition.kind, version.groupVersion, apiVersion, kind)
  const unknown: string[] = []
  const note = (path: string) => void (unknown.length < maxReported && unknown.push(path))
  const report = fieldValidation === 'Ignore' ? undefined : { unknownField: note }
  const object = version.decode(fields, report) as ApiObject
  if (report) {
    const others = otherFindings(unknown)
    reportFindings(context, fieldValidation, [...others, ...unknown.map(path => `unknown field "${path}"`)])
  }
  object.metadata ??= {}
  return object
}

function refuseOtherType(expectedKind: string, expectedVersion: string, apiVersion: unknown, kind: unknown): void {
  const isText = (value: unknown) => value === undefined || value === null || typeof value === 'string'
  if (!isText(apiVersion) || !isText(kind)) throw badRequest('apiVersion and kind must be strings')
  if (apiVersion && apiVersion !== expectedVersion) {
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${expectedVersion})`,
    )
  }
  if (kind && kind !== expectedKind) {
    throw badRequest(`the kind in the data (${kind}) does not match the expected kind (${expectedKind})`)
  }
}

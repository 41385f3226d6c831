import { type ApiObject, badRequest, type FieldError, invalid, invalidValue, isPromise, isRecord } from 'orch/sdk'
import { copyJson } from '../../libs/json/index.js'
import { runInTurns } from '../contracts/in-turns.js'
import type { RequestContext } from '../contracts/request-context.js'
import { bodyFormat, parseBody } from '../representation/decode-body.js'
import { inDocumentOrder } from '../schema/document-order.js'
import { rejectNonIntegers } from '../schema/non-integers.js'
import type { CompiledVersion } from '../types/compiled-version.js'
import type { ResourceType } from '../types/resource-type.js'
import {
  bodyLimits,
  type FieldValidation,
  maxReported,
  mergedBody,
  repeatedFields,
  reportFindings,
  unknownField,
} from './field-findings.js'
import { refuseOtherNamespace } from './object-meta.js'
import type { ResourceServices } from './resource-services.js'

/** An object that was sent. */
export interface SentObject {
  readonly object: ApiObject
  /** The same object, without the changes that were made to it meanwhile. */
  again(): ApiObject
}

/** Reads the body as an object of this version: parsed, checked against the schema, unknown fields handled. */
export async function readObject(
  services: ResourceServices,
  context: RequestContext,
  type: ResourceType,
  version: CompiledVersion,
  fieldValidation: FieldValidation,
): Promise<SentObject> {
  const format = bodyFormat(context.exchange.headers['content-type'], services.vendor)
  const body = await context.readBody(services.limits.bodyBytes)
  if (format === 'protobuf') {
    if (!type.conventions.hasProtobuf)
      throw badRequest(`${type.kind} has no Protobuf form; send application/json or application/yaml`)
    const again = () => services.representations.protobuf.decodeObject(body, type.kind, version, context.maxObjectItems)
    const object = again()
    context.recordRequestObject(() => ({ kind: type.kind, apiVersion: version.groupVersion, ...copyJson(object) }))
    context.recordMetadata(object.metadata)
    return { object, again }
  }
  const parsing = parseBody(services.yaml, format, body, bodyLimits(context, fieldValidation))
  const parsed = isPromise(parsing) ? await parsing : parsing
  const yielding = context.yieldIfLarge()
  if (yielding) await yielding
  context.recordRequestObject(() => parsed.value)
  if (type.conventions.objectsNameTheirType) refuseMissingKind(parsed.value, type)
  // Custom resources are read as free values first, where `1.0` and `1e2` are whole.
  const takesWhole = type.conventions.objectsNameTheirType
  if (!parsed.repeatedKeys) rejectNonIntegers(parsed.text, type.kind, () => version.model, { takesWhole })
  const beforeSearching = context.yieldIfLarge()
  if (beforeSearching) await beforeSearching
  // Values of custom resources have no types by which they could be merged.
  const model = () => (type.conventions.objectsNameTheirType ? undefined : version.model)
  const merging = runInTurns(context, mergedBody(parsed, fieldValidation, services.vendor.level, model))
  const { value, repeated } = isPromise(merging) ? await merging : merging
  const beforeDecoding = context.yieldIfLarge()
  if (beforeDecoding) await beforeDecoding
  const object = decodeValue(context, type, version, value, fieldValidation, unknown =>
    repeatedFields(parsed, fieldValidation, unknown, repeated),
  )
  context.recordMetadata(object.metadata)
  return { object, again: () => decodeValue(context, type, version, value, 'Ignore') }
}

/**
 * Checks a parsed value against the schema of a version. `null` stands for an object without any field. `otherFindings`
 * gets the unknown fields and adds other findings of field validation; all are reported at once. `asIs` is a part of the value that need
 * not be checked and copied: entries of managedFields that this server made, of which nobody changes any.
 */
export function decodeValue(
  context: RequestContext,
  type: DecodedType,
  version: Pick<CompiledVersion, 'groupVersion' | 'decode'>,
  value: unknown,
  fieldValidation: FieldValidation,
  otherFindings: (unknown: readonly string[]) => readonly string[] = () => [],
  asIs?: unknown,
): ApiObject {
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw badRequest(
      `the object provided is unrecognized: expected a ${type.kind}, not ${Array.isArray(value) ? 'a list' : `a ${typeof value}`}`,
    )
  }
  const { apiVersion, kind, ...fields } = (value ?? {}) as Record<string, unknown>
  const metadata = fields['metadata'] as { name?: unknown; resourceVersion?: unknown } | null | undefined
  const { objectsNameTheirType = false, reportsInDocumentOrder = true } = type.conventions ?? {}
  // Without it an update of such an object is refused anyway, with an error about that.
  const lacksVersion =
    objectsNameTheirType && context.info.verb === 'update' && /^0*$/.test(String(metadata?.resourceVersion ?? ''))
  const knownKind = objectsNameTheirType ? undefined : kind
  // Findings are those of the version that the body names, even if the path is that of another one.
  const named = knownKind === type.kind && typeof apiVersion === 'string' ? type.versionOf?.(apiVersion) : undefined
  const sent = named ?? version
  if (sent === version) refuseOtherType(type.kind, version.groupVersion, apiVersion, knownKind)
  const unknown: string[] = []
  // Fields of another kind are not known here; the metadata of all kinds is.
  const isOther = objectsNameTheirType && typeof kind === 'string' && kind !== '' && kind !== type.kind
  const note = (path: string) => {
    if (unknown.length < maxReported && (!isOther || path.startsWith('metadata.'))) unknown.push(path)
  }
  const isReported = fieldValidation !== 'Ignore'
  const maxItems = context.maxObjectItems
  const object = sent.decode(
    fields,
    isReported ? { unknownField: note, maxItems, asIs } : { maxItems, asIs },
  ) as ApiObject
  if (isReported) {
    const others = otherFindings(unknown)
    const ordered = reportsInDocumentOrder ? inDocumentOrder(fields, unknown) : unknown
    reportFindings(context, fieldValidation, [...others, ...ordered.map(unknownField)])
  }
  if (sent !== version) refuseOtherType(type.kind, version.groupVersion, apiVersion, knownKind)
  object.metadata ??= {}
  // Only now: an object that cannot be decoded is reported as such, whatever its namespace and kind.
  if (objectsNameTheirType && !lacksVersion) {
    refuseOtherNamespace(object.metadata.namespace ?? '', context.info.namespace)
    refuseOtherKind(context, type, version.groupVersion, value ?? {})
  }
  return object
}

/** The part of a type that decoding uses; the body of an action has only a kind. */
export type DecodedType = Pick<ResourceType, 'kind'> &
  Partial<Pick<ResourceType, 'group' | 'conventions' | 'definition' | 'versionOf'>>

/**
 * A body without kind and version means the type of the path, unless the type requires them; a body with a version of a custom type has
 * to name the kind, too.
 */
export function refuseMissingKind(value: unknown, { definition }: Pick<DecodedType, 'definition'>): void {
  if (value !== null && !isRecord(value)) return
  const { apiVersion, kind } = value ?? {}
  const { namesItself = false } = definition ?? {}
  const hasVersion = (apiVersion ?? '') !== ''
  if ((kind ?? '') === '' && (hasVersion || namesItself)) throw badRequest("Object 'Kind' is missing")
  if (kind !== undefined && kind !== null && typeof kind !== 'string') throw badRequest('kind must be a string')
  if (!hasVersion && namesItself) throw badRequest("Object 'apiVersion' is missing")
}

/** In Kubernetes, kind and version of custom resources are fields like any other. A subresource does not change the kind. */
export function refuseOtherKind(
  { info }: RequestContext,
  { group = '', kind: expected }: DecodedType,
  groupVersion: string,
  value: object,
): void {
  const { apiVersion, kind, metadata } = value as {
    apiVersion?: unknown
    kind?: unknown
    metadata?: { name?: unknown }
  }
  const errors: FieldError[] = []
  if (typeof kind === 'string' && kind !== '' && kind !== expected && info.subresource === '')
    errors.push(invalidValue('kind', kind, `must be ${expected}`))
  if (typeof apiVersion === 'string' && apiVersion !== '' && apiVersion !== groupVersion)
    errors.push(invalidValue('apiVersion', apiVersion, `must be ${groupVersion}`))
  if (errors.length > 0)
    throw invalid({ group, kind: kind ? String(kind) : expected }, String(metadata?.name ?? ''), errors)
}

function refuseOtherType(expectedKind: string, expectedVersion: string, apiVersion: unknown, kind: unknown): void {
  if (typeof (apiVersion ?? '') !== 'string' || typeof (kind ?? '') !== 'string')
    throw badRequest('apiVersion and kind must be strings')
  if (apiVersion && apiVersion !== expectedVersion) {
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${expectedVersion})`,
    )
  }
  if (kind && kind !== expectedKind) {
    throw badRequest(`the kind in the data (${kind}) does not match the expected kind (${expectedKind})`)
  }
}

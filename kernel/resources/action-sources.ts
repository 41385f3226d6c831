import type { ActionSubresource, ApiObject } from 'orch/sdk'
import { copyJson } from '../../libs/json/index.js'
import { atOnce } from '../contracts/in-turns.js'
import { unsupportedMediaType } from '../contracts/protocol-errors.js'
import { bodyFormat, parseBody, type TextBody } from '../representation/decode-body.js'
import { rejectNonIntegers } from '../schema/non-integers.js'
import type { ActionType } from '../types/action-type.js'
import type { CompiledVersion } from '../types/compiled-version.js'
import { decodeValue } from './decode-object.js'
import { bodyLimits, type FieldValidation, mergedBody, repeatedFields } from './field-findings.js'
import { type PatchType, patchedValue, patchTypeOf, readApplied, readPatch, readPatched } from './read-patch.js'
import { parsePatchOptions, parseWriteOptions } from './request-options.js'
import type { VerbRequest } from './verb.js'

/** The body of an action: the sent object, or the shown object with a patch applied. */
export interface ActionBody {
  readonly object: ApiObject
  readonly dryRun: boolean
  /** The client named no version, so it applies to any; the object carries the version that was read, for admission. */
  readonly isForAnyVersion?: boolean
  /** The fields to apply to the target, if the body is an applied configuration. */
  readonly applied?: { readonly fields: Readonly<Record<string, unknown>>; readonly force: boolean }
}

export async function readActionBody(
  request: VerbRequest,
  actionType: ActionType,
  optionsKind: 'CreateOptions' | 'UpdateOptions' = 'CreateOptions',
): Promise<ActionBody> {
  const { services, context } = request
  const { kind, version } = actionType
  const formatOf = () => bodyFormat(context.exchange.headers['content-type'], services.vendor)
  // The format of a new object comes before the options, that of a changed one after them.
  if (optionsKind === 'CreateOptions') formatOf()
  const { dryRun, fieldValidation } = parseWriteOptions(services.vendor, optionsKind, context.info.query)
  const format = formatOf()
  const bytes = await context.readBody(services.limits.bodyBytes)
  const object =
    format === 'protobuf'
      ? services.representations.protobuf.decodeObject(bytes, kind, version, context.maxObjectItems)
      : decodeAction(
          request,
          actionType,
          await parseBody(services.yaml, format, bytes, bodyLimits(context, fieldValidation)),
          fieldValidation,
        )
  context.recordRequestObject(() => ({ kind, apiVersion: version.groupVersion, ...copyJson(object) }))
  context.recordMetadata(object.metadata)
  version.fillDefaults(object)
  return { object, dryRun }
}

function decodeAction(
  { context, services }: VerbRequest,
  { kind, version, former = [] }: ActionType,
  parsed: TextBody,
  fieldValidation: FieldValidation,
): ApiObject {
  if (!parsed.repeatedKeys) rejectNonIntegers(parsed.text, kind, () => version.model)
  const { value, repeated } = atOnce(mergedBody(parsed, fieldValidation, services.vendor.level, () => version.model))
  return decodeValue(context, { kind }, version, asCurrent(value, former, version), fieldValidation, unknown =>
    repeatedFields(parsed, fieldValidation, unknown, repeated),
  )
}

/** A body in an older version is converted. */
function asCurrent(value: unknown, former: readonly string[], { groupVersion }: CompiledVersion): unknown {
  const { apiVersion } = (value ?? {}) as { apiVersion?: unknown }
  return former.some(known => known === apiVersion) ? { ...(value as object), apiVersion: groupVersion } : value
}

/** How a patch is to be read and applied. */
export interface PatchRequest {
  readonly patchType: PatchType
  readonly options: ReturnType<typeof parsePatchOptions>
}
export function patchRequestOf(
  { services, context, type }: VerbRequest,
  kind: string,
  appliedFields: ActionSubresource['appliedFields'],
): PatchRequest {
  const patchType = patchTypeOf(context.exchange.headers['content-type'], type)
  const isApply = patchType === 'application/apply-patch+yaml'
  // Nothing is stored under this kind: only the fields of its target have owners.
  if (isApply && !appliedFields) throw unsupportedMediaType(`${kind} cannot be applied; patch it`)
  return { patchType, options: parsePatchOptions(services.vendor, context.info.query, isApply) }
}

/** The object to write: the one that a read would show, changed by the patch in the body. */
export async function patchAction(
  request: VerbRequest,
  { kind, version }: { readonly kind: string; readonly version: CompiledVersion },
  { patchType, options }: PatchRequest,
  shown: ApiObject,
  appliedFields: ActionSubresource['appliedFields'],
): Promise<ActionBody> {
  const { services, context } = request
  if (patchType === 'application/apply-patch+yaml' && appliedFields) {
    const { dryRun, fieldValidation, force } = options
    const body = await context.readBody(services.limits.bodyBytes)
    const sent = await readApplied(request, kind, version, body, fieldValidation)
    const { metadata } = shown
    const object = decodeValue(context, { kind }, version, { ...shown, ...sent.value, metadata }, fieldValidation)
    const named = (sent.value as Partial<ApiObject>).metadata?.resourceVersion
    if (named) object.metadata.resourceVersion = named
    return { object, dryRun, isForAnyVersion: !named, applied: { fields: appliedFields(object as never), force } }
  }
  const sent = readPatch(
    context,
    patchType,
    await context.readBody(services.limits.bodyBytes),
    { kind },
    version,
    options.fieldValidation,
  )
  const { resourceVersion: shownVersion, ...metadata } = shown.metadata
  const whole = { ...shown, metadata, apiVersion: version.groupVersion, kind }
  const patched = patchedValue(patchType, whole, sent.value, version.model)
  const object = readPatched(context, { kind }, version, patched, options.fieldValidation, sent)
  version.fillDefaults(object)
  const isForAnyVersion = !object.metadata.resourceVersion
  if (isForAnyVersion && shownVersion) object.metadata.resourceVersion = shownVersion
  return { object, dryRun: options.dryRun, isForAnyVersion }
}

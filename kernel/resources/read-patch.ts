import { ApiError, type ApiObject, badRequest, invalid, invalidValue, isRecord } from 'orch/sdk'
import { applyMergePatch } from '../../libs/json-patch/index.js'
import { jsonPatch } from '../apply/json-patch.js'
import { strategicMergePatch } from '../apply/strategic-merge.js'
import { quoted } from '../apply/structured-merge/json-values.js'
import { unsupportedMediaType } from '../contracts/protocol-errors.js'
import { decodeText, mediaTypeOf, parseBody, parseJson, type TextBody } from '../representation/decode-body.js'
import { placesOfPatch, rejectNonIntegers } from '../schema/non-integers.js'
import type { CompiledVersion } from '../types/compiled-version.js'
import type { ResourceType } from '../types/resource-type.js'
import { type DecodedType, decodeValue, refuseMissingKind, refuseOtherKind } from './decode-object.js'
import { bodyLimits, type FieldValidation, repeatedField, repeatedPaths, unexpectedFields } from './field-findings.js'
import { otherNamespace } from './object-meta.js'
import type { VerbRequest } from './verb.js'

const patchTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
] as const
export type PatchType = (typeof patchTypes)[number]

/** The form of a patch, by its media type. Lists of custom resources have no keys by which a strategic patch could merge them. */
export function patchTypeOf(
  contentType: string | undefined,
  { conventions }: Pick<ResourceType, 'conventions'>,
): PatchType {
  const { acceptsStrategicMerge, mediaTypeErrorsHaveDetails } = conventions
  const type = mediaTypeOf(contentType) ?? ''
  const accepted = patchTypes.filter(each => acceptsStrategicMerge || each !== 'application/strategic-merge-patch+json')
  if (!(accepted as readonly string[]).includes(type)) {
    const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`
    throw mediaTypeErrorsHaveDetails
      ? unsupportedMediaType(message)
      : new ApiError(415, 'UnsupportedMediaType', message)
  }
  return type as PatchType
}

export type AppliedBody = TextBody & { readonly value: ApiObject }

/** An applied configuration of the given kind. */
export async function readApplied(
  { services, context }: Pick<VerbRequest, 'services' | 'context'>,
  kind: string,
  version: CompiledVersion,
  body: Buffer,
  fieldValidation: FieldValidation,
): Promise<AppliedBody> {
  const parsed = await parseBody(services.yaml, 'yaml', body, bodyLimits(context, fieldValidation))
  const applied = parsed.value as ApiObject | null
  if (typeof applied !== 'object' || applied === null || Array.isArray(applied)) {
    throw badRequest('error decoding YAML: the applied configuration must be an object')
  }
  context.recordRequestObject(() => applied)
  if (!parsed.repeatedKeys) rejectNonIntegers(parsed.text, kind, () => version.model, { takesWhole: true })
  if (applied.apiVersion !== version.groupVersion || applied.kind !== kind) {
    throw badRequest(
      `the applied configuration must name apiVersion ${version.groupVersion} and kind ${kind}, not ${quoted(applied.apiVersion)} and ${quoted(applied.kind)}`,
    )
  }
  return { ...parsed, value: applied }
}

export interface ReadPatch {
  readonly value: unknown
  /** Findings of field validation in the patch itself. */
  readonly findings: readonly string[]
  /** Refuses numbers that are not whole where they must be. Operations are looked at only if they can be applied. */
  refuseNonIntegers?(): void
}

/** A body that is not an object is not a patch. Only a list could be a merge patch: one that replaces the object with a list. */
export function readPatch(
  context: VerbRequest['context'],
  patchType: PatchType,
  body: Buffer,
  { kind, conventions }: DecodedType,
  version: Pick<VerbRequest['version'], 'model'>,
  fieldValidation: FieldValidation,
): ReadPatch {
  const text = decodeText(body)
  const value = parseJson(text, context.maxObjectItems)
  context.recordRequestObject(() => value)
  const takesWhole = conventions?.objectsNameTheirType || patchType === 'application/strategic-merge-patch+json'
  if (patchType === 'application/json-patch+json') {
    const refuseNonIntegers = () =>
      rejectNonIntegers(text, kind, () => placesOfPatch(value, version.model), { takesWhole, refuse: invalidPatch })
    return { value, findings: unexpectedFields(text, value, fieldValidation), refuseNonIntegers }
  }
  rejectNonIntegers(text, kind, () => version.model, { takesWhole, refuse: invalidPatch })
  if (isRecord(value)) {
    return { value, findings: repeatedPaths(text, fieldValidation).map(repeatedField) }
  }
  const why = 'the patch must be a JSON object'
  // Without field validation it is examined only when it is merged, so the error is that of a merge.
  if (patchType === 'application/merge-patch+json' && Array.isArray(value) && fieldValidation === 'Ignore')
    throw invalidPatch(why)
  throw badRequest(why)
}

/** The patched value. */
export function patchedValue(
  patchType: PatchType,
  whole: ApiObject,
  patchValue: unknown,
  model: VerbRequest['version']['model'],
): unknown {
  switch (patchType) {
    case 'application/json-patch+json':
      return jsonPatch(whole, patchValue)
    case 'application/merge-patch+json':
      return applyMergePatch(whole, patchValue)
    default:
      return strategicMergePatch(whole, patchValue as Record<string, unknown>, model)
  }
}

/** A result that is not an object of the type is an error of the patch: 422 on `patch`, not 400 on the body. */
export function readPatched(
  context: VerbRequest['context'],
  type: DecodedType,
  version: VerbRequest['version'],
  patched: unknown,
  fieldValidation: FieldValidation,
  { findings, refuseNonIntegers }: ReadPatch,
  live?: ApiObject,
): ApiObject {
  refuseNonIntegers?.()
  try {
    if (type.conventions?.objectsNameTheirType && isRecord(patched)) {
      refuseMissingKind(patched, type)
      refuseOtherKind(context, type, version.groupVersion, patched)
    }
    return decodeValue(context, type, version, patched, fieldValidation, () => findings, sharedOwners(patched, live))
  } catch (thrown) {
    // An object that has become too large is no error of the patch.
    if (!(thrown instanceof ApiError) || thrown.code === 413) throw thrown
    // Nor is one of a custom resource that is another one than that of the path.
    if (type.conventions?.objectsNameTheirType && (thrown.code === 422 || thrown.message === otherNamespace))
      throw thrown
    throw invalidPatch(thrown.message)
  }
}

/** The managedFields of the live object, if the patch did not touch them: of a large object, they are most of what would be copied. */
function sharedOwners(patched: unknown, live: ApiObject | undefined): unknown {
  const metadata = isRecord(patched) ? patched['metadata'] : undefined
  const managedFields = isRecord(metadata) ? metadata['managedFields'] : undefined
  return managedFields === live?.metadata.managedFields ? managedFields : undefined
}

const invalidPatch = (why: string) => invalid({ group: '', kind: '' }, '', [invalidValue('patch', undefined, why)])

import { ApiError, type ApiObject, badRequest, invalid, invalidValue, unsupportedMediaType } from 'orch/sdk'
import { applyObject } from '../apply/field-manager.js'
import { jsonMergePatch } from '../apply/json-merge-patch.js'
import { jsonPatch } from '../apply/json-patch.js'
import { refuseDeepNesting } from '../apply/nesting-limit.js'
import { strategicMergePatch } from '../apply/strategic-merge.js'
import { decodeText, parseJson } from '../http/decode-body.js'
import { parseYaml } from '../http/parse-yaml.js'
import { copyJson } from '../schema/copy-json.js'
import { decodeValue } from './decode-object.js'
import { managedType } from './managed-type.js'
import { managerOf } from './manager-of.js'
import { refuseOtherNamespace } from './object-meta.js'
import { parsePatchOptions } from './request-options.js'
import { matchName, mayCreate } from './update.js'
import { type UpdateRequest, updateObject } from './update-object.js'
import type { VerbRequest } from './verb.js'
import { WriteTarget } from './write-target.js'

const patchTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
] as const
type PatchType = (typeof patchTypes)[number]
type ParsedOptions = ReturnType<typeof parsePatchOptions>

/** PATCH: the forms differ in how they make the wanted object from the live one; everything after that is shared. */
export async function patch(request: VerbRequest): Promise<void> {
  const { services, context, type, version } = request
  const { info, exchange } = context
  const patchType = patchTypeOf(exchange.headers['content-type'])
  context.representation = services.representations.negotiate(context, type, version)
  const isApply = patchType === 'application/apply-patch+yaml'
  const options = parsePatchOptions(services.vendor, info.query, isApply)
  const body = await exchange.readBody(services.limits.bodyBytes)
  const { dryRun, fieldManager } = options
  const target = new WriteTarget(services, context, type, version, info.subresource, {
    dryRun,
    fieldManager,
    fieldValidation: info.query.get('fieldValidation'),
  })
  const manager = managerOf(fieldManager, exchange.headers['user-agent'])
  const change = isApply
    ? applyChange(request, target, options, body, manager)
    : patchChange(request, patchType, options, body)
  const written = await updateObject(target, { name: info.name, manager, isPatch: true, ...change })
  services.representations.respond(context, written.isCreated ? 201 : 200, type, version, written.body)
}

/** The form of a patch, by its media type. */
export function patchTypeOf(contentType: string | undefined): PatchType {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  if (!(patchTypes as readonly string[]).includes(type)) {
    throw unsupportedMediaType(
      `the body of the request was in an unknown format - accepted media types include: ${patchTypes.join(', ')}`,
    )
  }
  return type as PatchType
}

/** JSON patch, merge patch and strategic merge patch: change the live object's JSON, then read it as if it had been sent. */
function patchChange(
  request: VerbRequest,
  patchType: PatchType,
  options: ParsedOptions,
  body: Buffer,
): Pick<UpdateRequest, 'produce'> {
  const { context, type, version } = request
  let patchValue: unknown
  return {
    produce: live => {
      // Read only when there is something to patch: a missing object is news before a broken patch is.
      patchValue ??= readPatch(context, patchType, body)
      const whole = { apiVersion: version.groupVersion, kind: type.kind, ...(live as ApiObject) }
      const patched = patchedValue(patchType, whole, patchValue, version.model)
      const object = readPatched(request, patched, options)
      matchName(object, context.info.name)
      refuseOtherNamespace(object, context.info.namespace)
      version.fillDefaults(object)
      return object
    },
  }
}

/** A body that is no object is no patch. Only a list could be a merge patch: one that makes a list of the object. */
function readPatch(context: VerbRequest['context'], patchType: PatchType, body: Buffer): unknown {
  const patch = parseJson(decodeText(body))
  context.auditRequest(() => patch)
  if (patchType === 'application/json-patch+json') return patch
  if (typeof patch === 'object' && patch !== null && !Array.isArray(patch)) return patch
  const why = 'the patch must be a JSON object'
  if (patchType === 'application/merge-patch+json' && Array.isArray(patch)) throw patchRefused(why)
  throw badRequest(why)
}

/** The value that a patch makes of another one. */
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
      return jsonMergePatch(whole, patchValue)
    default:
      return strategicMergePatch(whole, patchValue as Record<string, unknown>, model)
  }
}

/** A result that is no object of the type is the patch's fault: 422 on `patch`, not 400 on a body nobody sent. */
function readPatched({ context, type, version }: VerbRequest, patched: unknown, options: ParsedOptions): ApiObject {
  try {
    return decodeValue(context, type.definition, version, patched, options.fieldValidation)
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || options.fieldValidation === 'Strict') throw thrown
    throw patchRefused(thrown.message)
  }
}

const patchRefused = (why: string) => invalid({ group: '', kind: '' }, '', [invalidValue('patch', undefined, why)])

/** Server-side apply: the body is the applier's whole opinion; what it means for the live object is apply's business. */
function applyChange(
  request: VerbRequest,
  target: WriteTarget,
  options: ParsedOptions,
  body: Buffer,
  manager: string,
): Pick<UpdateRequest, 'produce' | 'mayCreate' | 'isTracked'> {
  const { context, type, version } = request
  const applied = parseYaml(decodeText(body)) as ApiObject | null
  if (typeof applied !== 'object' || applied === null || Array.isArray(applied)) {
    throw badRequest('error decoding YAML: the applied configuration must be an object')
  }
  context.auditRequest(() => applied)
  refuseDeepNesting(applied)
  if (applied.apiVersion !== version.groupVersion || applied.kind !== type.kind) {
    throw badRequest(
      `the applied configuration must name apiVersion ${version.groupVersion} and kind ${type.kind}, not ${String(applied.apiVersion)} and ${String(applied.kind)}`,
    )
  }
  return {
    isTracked: true,
    mayCreate: context.info.subresource === '' ? () => mayCreate(request) : undefined,
    produce: live => {
      const merged = applyObject(managedType(target), live, copyJson(applied), manager, options.force, target.now)
      const object = decodeValue(context, type.definition, version, merged, 'Ignore')
      matchName(object, context.info.name)
      refuseOtherNamespace(object, context.info.namespace)
      version.fillDefaults(object)
      return object
    },
  }
}

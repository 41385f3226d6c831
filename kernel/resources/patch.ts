import { type ApiObject, badRequest } from 'orch/sdk'
import { applyObject } from '../apply/field-manager.js'
import { refuseDeepNesting } from '../apply/nesting-limit.js'
import { quoted } from '../apply/structured-merge/json-values.js'
import { parseBody, type TextBody } from '../representation/decode-body.js'
import { copyJson } from '../schema/copy-json.js'
import { refuseOddNumbers } from '../schema/odd-numbers.js'
import type { CompiledVersion } from '../types/compiled-version.js'
import { decodeValue } from './decode-object.js'
import { bodyLimits, repeatedFields, reportFindings } from './field-findings.js'
import { managedType } from './managed-type.js'
import { managerOf } from './manager-of.js'
import { refuseOtherNamespace } from './object-meta.js'
import { type PatchType, patchedValue, patchTypeOf, type ReadPatch, readPatch, readPatched } from './read-patch.js'
import { parsePatchOptions } from './request-options.js'
import { matchName, mayCreate } from './update.js'
import { type UpdateRequest, updateObject } from './update-object.js'
import type { VerbRequest } from './verb.js'
import { WriteTarget } from './write-target.js'

type ParsedOptions = ReturnType<typeof parsePatchOptions>

/** PATCH: the forms differ in how they make the wanted object from the live one; everything after that is shared. */
export async function patch(request: VerbRequest): Promise<void> {
  const { services, context, type, version } = request
  const { info, exchange } = context
  const patchType = patchTypeOf(exchange.headers['content-type'], type.definition.unstructured)
  context.representation = services.representations.negotiate(context, type, version)
  const isApply = patchType === 'application/apply-patch+yaml'
  const options = parsePatchOptions(services.vendor, info.query, isApply)
  const body = await context.readBody(services.limits.bodyBytes)
  const { dryRun, fieldManager } = options
  const target = new WriteTarget(services, context, type, version, info.subresource, {
    dryRun,
    fieldManager,
    fieldValidation: info.query.get('fieldValidation'),
  })
  const manager = managerOf(fieldManager, exchange.headers['user-agent'])
  const change = isApply
    ? applyChange(request, target, options, await readApplied(request, type.kind, version, body, options), manager)
    : patchChange(request, patchType, options, body)
  const written = await updateObject(target, { name: info.name, manager, isPatch: true, ...change })
  return services.representations.respond(context, written.isCreated ? 201 : 200, type, version, written.body)
}

/** JSON patch, merge patch and strategic merge patch: change the live object's JSON, then read it as if it had been sent. */
function patchChange(
  request: VerbRequest,
  patchType: PatchType,
  options: ParsedOptions,
  body: Buffer,
): Pick<UpdateRequest, 'produce'> {
  const { context, type, version } = request
  let sent: ReadPatch | undefined
  return {
    produce: live => {
      // Read only when there is something to patch: a missing object is news before a broken patch is.
      sent ??= readPatch(context, patchType, body, type.kind, version, options.fieldValidation)
      const whole = { apiVersion: version.groupVersion, kind: type.kind, ...(live as ApiObject) }
      const patched = patchedValue(patchType, whole, sent.value, version.model)
      const object = readPatched(context, type.definition, version, patched, options.fieldValidation, sent.findings)
      matchName(object, context.info.name)
      refuseOtherNamespace(object, context.info.namespace)
      version.fillDefaults(object)
      return object
    },
  }
}

/** Server-side apply: the body is the applier's whole opinion; what it means for the live object is apply's business. */
function applyChange(
  request: VerbRequest,
  target: WriteTarget,
  options: ParsedOptions,
  sent: AppliedBody,
  manager: string,
): Pick<UpdateRequest, 'produce' | 'mayCreate' | 'isTracked'> {
  const { context, type, version } = request
  return {
    isTracked: true,
    mayCreate: context.info.subresource === '' ? () => mayCreate(request) : undefined,
    produce: live => {
      const merged = applyObject(managedType(target), live, copyJson(sent.value), manager, options.force, target.now)
      reportFindings(context, options.fieldValidation, repeatedFields(sent, options.fieldValidation))
      const object = decodeValue(context, type.definition, version, merged, 'Ignore')
      matchName(object, context.info.name)
      refuseOtherNamespace(object, context.info.namespace)
      version.fillDefaults(object)
      return object
    },
  }
}

export type AppliedBody = TextBody & { readonly value: ApiObject }

/** An applied configuration of the given kind. */
export async function readApplied(
  { services, context }: Pick<VerbRequest, 'services' | 'context'>,
  kind: string,
  version: CompiledVersion,
  body: Buffer,
  { fieldValidation }: Pick<ParsedOptions, 'fieldValidation'>,
): Promise<AppliedBody> {
  const parsed = await parseBody(services.yaml, 'yaml', body, bodyLimits(context, fieldValidation))
  const applied = parsed.value as ApiObject | null
  if (typeof applied !== 'object' || applied === null || Array.isArray(applied)) {
    throw badRequest('error decoding YAML: the applied configuration must be an object')
  }
  context.recordRequestObject(() => applied)
  refuseDeepNesting(applied)
  if (!parsed.repeatedKeys) refuseOddNumbers(parsed.text, kind, () => version.model)
  if (applied.apiVersion !== version.groupVersion || applied.kind !== kind) {
    throw badRequest(
      `the applied configuration must name apiVersion ${version.groupVersion} and kind ${kind}, not ${quoted(applied.apiVersion)} and ${quoted(applied.kind)}`,
    )
  }
  return { ...parsed, value: applied }
}

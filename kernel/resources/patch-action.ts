import { type ActionSubresource, type ApiObject, unsupportedMediaType } from 'orch/sdk'
import type { CompiledVersion } from '../types/compiled-version.js'
import { decodeValue } from './decode-object.js'
import { readApplied } from './patch.js'
import { patchedValue, patchTypeOf, readPatch, readPatched } from './read-patch.js'
import { parsePatchOptions } from './request-options.js'
import type { VerbRequest } from './verb.js'

/** The object to write, and what an applied one says about the target. */
interface PatchedAction {
  readonly object: ApiObject
  readonly dryRun: boolean
  readonly applied?: { readonly fields: Readonly<Record<string, unknown>>; readonly force: boolean }
}

/** The object to write: what reading shows, changed by the patch in the body. */
export async function patchAction(
  request: VerbRequest,
  { kind, version }: { readonly kind: string; readonly version: CompiledVersion },
  shown: ApiObject,
  appliedFields: ActionSubresource['appliedFields'],
): Promise<PatchedAction> {
  const { services, context } = request
  const { info, exchange } = context
  const patchType = patchTypeOf(exchange.headers['content-type'])
  if (patchType === 'application/apply-patch+yaml') {
    // Nothing is stored under this kind: only its target has fields that somebody can own.
    if (!appliedFields) throw unsupportedMediaType(`${kind} cannot be applied; patch it`)
    const { dryRun, fieldValidation, force } = parsePatchOptions(services.vendor, info.query, true)
    const sent = await readApplied(request, kind, version, await context.readBody(services.limits.bodyBytes), {
      fieldValidation,
    })
    const { metadata } = shown
    const object = decodeValue(context, { kind }, version, { ...shown, ...sent.value, metadata }, fieldValidation)
    return { object, dryRun, applied: { fields: appliedFields(object as never), force } }
  }
  const options = parsePatchOptions(services.vendor, info.query, false)
  const sent = readPatch(
    context,
    patchType,
    await context.readBody(services.limits.bodyBytes),
    kind,
    version,
    options.fieldValidation,
  )
  // A patch holds for whatever version it meets, unless it names one.
  const { resourceVersion: _, ...metadata } = shown.metadata
  const whole = { ...shown, metadata, apiVersion: version.groupVersion, kind }
  const patched = patchedValue(patchType, whole, sent.value, version.model)
  const object = readPatched(context, { kind }, version, patched, options.fieldValidation, sent.findings)
  version.fillDefaults(object)
  return { object, dryRun: options.dryRun }
}

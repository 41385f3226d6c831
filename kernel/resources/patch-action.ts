import { type ActionSubresource, type ApiObject, unsupportedMediaType } from 'orch/sdk'
import { patchedValue, patchTypeOf, readPatch, readPatched } from './read-patch.js'
import { parsePatchOptions } from './request-options.js'
import type { CompiledVersion } from './resource-type.js'
import type { VerbRequest } from './verb.js'

/** Can the subresource be patched? Then it can be read and written. */
export const isPatchable = ({ handlers }: ActionSubresource): boolean =>
  handlers.get !== undefined && handlers.update !== undefined

/** The object to write: what reading shows, changed by the patch in the body. */
export async function patchAction(
  { services, context }: VerbRequest,
  { kind, version }: { readonly kind: string; readonly version: CompiledVersion },
  shown: ApiObject,
): Promise<{ object: ApiObject; dryRun: boolean }> {
  const { info, exchange } = context
  const patchType = patchTypeOf(exchange.headers['content-type'])
  // Nothing is stored under this kind, so nobody can own its fields.
  if (patchType === 'application/apply-patch+yaml') throw unsupportedMediaType(`${kind} cannot be applied; patch it`)
  const options = parsePatchOptions(services.vendor, info.query, false)
  const sent = readPatch(
    context,
    patchType,
    await exchange.readBody(services.limits.bodyBytes),
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

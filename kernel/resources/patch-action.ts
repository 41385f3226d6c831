import { type ActionSubresource, type ApiObject, unsupportedMediaType } from 'orch/sdk'
import { decodeText, parseJson } from '../http/decode-body.js'
import { decodeValue } from './decode-object.js'
import { patchedValue, patchTypeOf } from './patch.js'
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
  const { dryRun, fieldValidation } = parsePatchOptions(services.vendor, info.query, false)
  const patch = parseJson(decodeText(await exchange.readBody(services.limits.bodyBytes)))
  context.auditRequest(() => patch)
  // A patch holds for whatever version it meets, unless it names one.
  const { resourceVersion: _, ...metadata } = shown.metadata
  const whole = { ...shown, metadata, apiVersion: version.groupVersion, kind }
  const patched = patchedValue(patchType, whole, patch, version.model)
  const object = decodeValue(context, { kind }, version, patched, fieldValidation)
  version.fillDefaults(object)
  return { object, dryRun }
}

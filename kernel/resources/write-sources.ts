import { type ApiObject, andThen, badRequest } from 'orch/sdk'
import { applyObject } from '../apply/field-manager.js'
import { withOwnership } from './converted-ownership.js'
import { decodeValue, readObject } from './decode-object.js'
import { repeatedFields, reportFindings } from './field-findings.js'
import { managerOf } from './manager-of.js'
import { matchName, matchNamespace, warnOfRepeatedOwners } from './object-meta.js'
import { patchedValue, patchTypeOf, type ReadPatch, readApplied, readPatch, readPatched } from './read-patch.js'
import type { WriteRequestOptions } from './request-options.js'
import type { VerbRequest } from './verb.js'
import { parseVersion } from './versions.js'
import type { UpdateRequest } from './write-object.js'

/** Where the object of a write comes from. It produces an object that is decoded, matches the path, and has its defaults. */
export type WriteSource = Pick<UpdateRequest, 'produce' | 'isPatch' | 'isTracked'>

/** The body of a create. */
export async function createSource(request: VerbRequest, options: WriteRequestOptions): Promise<WriteSource> {
  const { services, context, type, version } = request
  const { object: sent } = await readObject(services, context, type, version, options.fieldValidation)
  matchNamespace(sent, context.info.namespace, services.vendor.level)
  const { resourceVersion } = sent.metadata
  if (resourceVersion && parseVersion(resourceVersion) > 0 && !options.dryRun) {
    throw badRequest('resourceVersion should not be set on objects to be created')
  }
  version.fillDefaults(sent)
  return { produce: () => sent }
}

/** The body of an update. */
export async function changeSource(request: VerbRequest, options: WriteRequestOptions): Promise<WriteSource> {
  const { services, context, type, version } = request
  const { object, again } = await readObject(services, context, type, version, options.fieldValidation)
  let first: ApiObject | undefined = fitted(request, object)
  // Also if there is no object to change.
  warnOfRepeatedOwners(request, object)
  return {
    // A retry must not see the changes of admission.
    produce: () => {
      const sent = first ?? fitted(request, again())
      first = undefined
      return sent
    },
  }
}

/** JSON patch, merge patch and strategic merge patch change the JSON of the live object, which is then read as if it had been sent. */
export async function patchSource(request: VerbRequest, options: WriteRequestOptions): Promise<WriteSource> {
  const { services, context, type, version } = request
  const patchType = patchTypeOf(context.exchange.headers['content-type'], type)
  const body = await context.readBody(services.limits.bodyBytes)
  let sent: ReadPatch | undefined
  return {
    isPatch: true,
    produce: live => {
      // Read only when there is an object to patch: a 404 comes before an invalid patch.
      sent ??= readPatch(context, patchType, body, type, version, options.fieldValidation)
      const whole = { apiVersion: version.groupVersion, kind: type.kind, ...(live as ApiObject) }
      const patched = patchedValue(patchType, whole, sent.value, version.model)
      const read = sent
      return andThen(context.yieldIfLarge(), () =>
        fitted(request, readPatched(context, type, version, patched, options.fieldValidation, read, live)),
      )
    },
  }
}

/** Server-side apply: the body is the full intent of the applier; kernel/apply merges it into the live object. */
export async function applySource(
  request: VerbRequest,
  { fieldManager, fieldValidation, force = false }: WriteRequestOptions & { readonly force?: boolean },
): Promise<WriteSource> {
  const { services, context, type, version } = request
  const body = await context.readBody(services.limits.bodyBytes)
  const sent = await readApplied(request, type.kind, version, body, fieldValidation)
  const manager = managerOf(fieldManager, context.exchange.headers['user-agent'])
  return {
    isPatch: true,
    isTracked: true,
    produce: (live, target) => {
      const merging = withOwnership(target, undefined, managed =>
        applyObject(managed, live, sent.value, manager, force, target.now),
      )
      return andThen(merging, merged => {
        reportFindings(context, fieldValidation, repeatedFields(sent, fieldValidation))
        return andThen(context.yieldIfLarge(), () =>
          fitted(
            request,
            decodeValue(context, type, version, merged, 'Ignore', undefined, merged.metadata?.managedFields),
          ),
        )
      })
    },
  }
}

/** A decoded object that matches the path, with its defaults. */
function fitted({ services, context, version }: VerbRequest, object: ApiObject): ApiObject {
  matchName(object, context.info.name)
  matchNamespace(object, context.info.namespace, services.vendor.level)
  version.fillDefaults(object)
  return object
}

import { type ApiObject, conflict, type FieldError, invalid, invalidValue, isPromise } from 'orch/sdk'
import type { MetadataChecks } from 'orch/sdk/host'
import { validateMeta, validateMetaUpdate, validatePrefix } from './metadata-rules.js'
import { parseVersion } from './versions.js'
import { uncommitted, type WriteInProgress } from './write-in-progress.js'
import type { WriteTarget } from './write-target.js'

/** The steps of a write that validate it. */

/** An update of an object that was deleted and recreated must not change the new one. */
export function checkUid({ target, name, object, stored, update }: WriteInProgress): void {
  const { uid } = object!.metadata
  if (uid && uid !== stored!.metadata.uid && !update?.isPatch) throw otherUid(target, name, uid, stored!.metadata.uid)
}

/** Checks that the change is based on the stored object. Only now, because admission may change the version, too. */
export function checkVersion(write: WriteInProgress): void {
  const { target, name, update } = write
  const meta = write.object!.metadata
  const { resourceVersion } = write.stored!.metadata
  const isAnother = meta.resourceVersion !== resourceVersion && meta.resourceVersion !== uncommitted
  // Version 0 means any version, as in reads.
  if (meta.resourceVersion && isAnother && parseVersion(meta.resourceVersion) === 0) delete meta.resourceVersion
  if (!meta.resourceVersion || update?.isUnconditional) {
    if (!meta.resourceVersion && target.strategy.unconditionalUpdate === false && !update?.isUnconditional) {
      const rule = invalidValue('metadata.resourceVersion', 0, 'must be specified for an update')
      throw invalid({ group: target.type.group, kind: target.type.resource }, name, [rule])
    }
    return
  }
  if (meta.resourceVersion !== resourceVersion) throw modifiedMeanwhile(target, name)
  // A patch without a version has that of the object that it was applied to, and can be applied again.
  write.isConditional = !update?.isPatch
}

export const otherUid = (target: WriteTarget, name: string, sentUid: string, storedUid = '') =>
  conflict(
    target.subject(name),
    `Precondition failed: UID in precondition: ${sentUid}, UID in object meta: ${storedUid}`,
  )

export const modifiedMeanwhile = (target: WriteTarget, name: string) =>
  conflict(
    target.subject(name),
    'the object has been modified; please apply your changes to the latest version and try again',
  )

/** The rules of metadata, the limits of the schema and the rules of the type, all at once. */
export async function validateCreated(write: WriteInProgress): Promise<void> {
  const { target, object, admission, contentErrors, generatesName } = write
  const { services, type, strategy } = target
  const draft = object!
  const { name = '' } = draft.metadata
  const own = strategy.validate?.(draft, target.strategyContext())
  const ofMetadata = validateMeta(services.types, type, draft.metadata, services.vendor.name)
  const { change, object: ofObject, ownNames = false } = checksOf(target) ?? { change: 1, object: 1 }
  // For types that leave metadata to the server, errors in metadata are reported only if there are no others.
  const isLast = (error: FieldError) => change + ofObject === 0 || (ownNames && isOfName(error))
  const first = ofMetadata.filter(error => !isLast(error))
  await throwIfInvalid(target, name, draft, undefined, first, own, contentErrors)
  if (ofMetadata.length > 0) throw target.invalid(name, ofMetadata)
  const ofPrefix = draft.metadata.generateName ? validatePrefix(draft.metadata) : []
  if (ofPrefix.length > 0) throw target.invalid(name, ofPrefix)
  // Defaults that depend on a generated name, after validation: its errors are about values that the client chose.
  if (generatesName) type.workingVersion(target.version).fillDefaults(draft)
  // An admission control that renames the object does not change the request.
  if (admission && admission.request.name === '') admission.request.name = name
}
export async function validateUpdated(write: WriteInProgress): Promise<void> {
  const { target, name, object, stored, contentErrors } = write
  const { services, strategy, subresource } = target
  const [draft, before] = [object!, stored!]
  const checks = checksOf(target) ?? { change: 1, object: subresource === '' ? 1 : 0 }
  const { types, vendor } = services
  const ofMetadata = validateMetaUpdate(types, target.type, draft.metadata, before.metadata, checks, vendor.name)
  const own = strategy.validateUpdate
    ? strategy.validateUpdate(draft, before, target.strategyContext())
    : strategy.validate?.(draft, target.strategyContext())
  await throwIfInvalid(target, name, draft, before, ofMetadata, own, contentErrors)
}

const isOfName = ({ type, field }: FieldError) =>
  type === 'FieldValueInvalid' && /^metadata\.(?:n|generateN)ame$/.test(field)

function checksOf({ strategy, services }: WriteTarget): MetadataChecks | undefined {
  const { metadataChecks } = strategy
  return typeof metadataChecks === 'function' ? metadataChecks(services.vendor.level) : metadataChecks
}
async function throwIfInvalid(
  target: WriteTarget,
  name: string,
  draft: ApiObject,
  stored: ApiObject | undefined,
  ofMetadata: readonly FieldError[],
  own: readonly FieldError[] | Promise<readonly FieldError[]> = [],
  contentErrors: readonly FieldError[] = [],
): Promise<void> {
  // Not pushed with `...`: the number of arguments is limited, and a large object may have more errors.
  const ofType = isPromise(own) ? await own : own
  const { strategy } = target
  const limits = strategy.validateLimits?.(draft, stored, target.strategyContext()) ?? target.limitErrors(draft)
  const errors = [...ofMetadata, ...limits, ...ofType, ...contentErrors]
  if (errors.length > 0) throw target.invalid(name, errors)
  const warnings = strategy.warnings?.(draft, stored, target.strategyContext()) ?? []
  for (const text of isPromise(warnings) ? await warnings : warnings) target.context.warn(text)
}

export function validateBody({ target, name, object, action, bodyErrors }: WriteInProgress): void {
  if (!object) return
  const { type, version } = target
  const errors = [
    ...((action ?? { version }).version.checkConstraints?.(object) ?? []),
    ...(bodyErrors?.(object) ?? []),
  ]
  if (errors.length > 0) throw target.invalid(name, errors, action?.kind ?? type)
}

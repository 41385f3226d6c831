import {
  addAll,
  type FieldError,
  forbiddenField,
  invalidValue,
  type ObjectMeta,
  type OwnerReference,
  requiredValue,
  tooLong,
} from 'orch/sdk'
import type { MetadataChecks } from 'orch/sdk/host'
import {
  areAnnotationsTooLarge,
  isKnownFinalizer,
  isQualifiedName,
  maxAnnotationBytes,
  nameIsDnsSubdomain,
  nameIsPathSegment,
  validateLabels,
} from 'orch/sdk/validation'
import { validateFieldManager } from '../apply/manager-name.js'
import type { ResourceType } from '../types/resource-type.js'
import type { ResourceTypes } from '../types/resource-types.js'
import { foregroundFinalizer, orphanFinalizer } from './object-meta.js'

/** The rules of metadata that hold for all types. */

type NameRule = (name: string, isPrefix: boolean) => string[]

/** Characters that no key of the store may contain, though some rules for names allow them. */
const isStorable = (name: string): string[] =>
  /[\0\p{Cs}]/u.test(name) ? ['may not contain the character 0 or half of a surrogate pair'] : []

/** All errors in the metadata of a new object. */
export function validateMeta(
  types: ResourceTypes,
  type: ResourceType,
  meta: ObjectMeta,
  ownFinalizer?: string,
): FieldError[] {
  const path = 'metadata'
  const errors: FieldError[] = []
  const nameRule = type.definition.validateName ?? nameIsDnsSubdomain
  if (meta.generateName) addAll(errors, validatePrefix(meta, nameRule))
  if (!meta.name) errors.push(requiredValue(`${path}.name`, 'name or generateName is required'))
  else
    for (const why of [...nameRule(meta.name, false), ...isStorable(meta.name)])
      errors.push(invalidValue(`${path}.name`, meta.name, why))
  if (type.namespaced && !meta.namespace) errors.push(requiredValue(`${path}.namespace`))
  if (!type.namespaced && meta.namespace) {
    errors.push(forbiddenField(`${path}.namespace`, 'not allowed on this type'))
  }
  return [
    ...errors,
    ...validateGeneration(meta, path),
    ...validateShared(types, meta, path),
    ...validateFinalizers(meta, path),
    ...validateManagedFields(meta, path),
    ...checkFinalizersKnown(type, meta, path, ownFinalizer),
  ]
}

/**
 * All errors in the metadata of a changed object, repeated as often as Kubernetes repeats them: it checks
 * the object and the change once for all types, and again within the rules of each type, `checks` times.
 */
export function validateMetaUpdate(
  types: ResourceTypes,
  type: ResourceType,
  meta: ObjectMeta,
  stored: ObjectMeta,
  checks: MetadataChecks,
  ownFinalizer?: string,
): FieldError[] {
  const path = 'metadata'
  const shared = validateShared(types, meta, path)
  const managed = validateManagedFields(meta, path)
  const ofObject = [...validateGeneration(meta, path), ...shared, ...validateFinalizers(meta, path), ...managed]
  const nameRule = type.definition.validateName ?? nameIsDnsSubdomain
  const ofChange = [...validateChange(meta, stored, path), ...shared, ...managed]
  const unknownFinalizers = checkFinalizersKnown(type, meta, path, ownFinalizer)
  return [
    ...validatePrefix(meta),
    ...ofObject,
    ...ofChange,
    ...repeated(checks.change, [...ofChange, ...unknownFinalizers]),
    ...repeated(checks.object, [...validatePrefix(meta, nameRule), ...ofObject, ...unknownFinalizers]),
  ]
}

/** Whatever a type says about prefixes, they are parts of a path. */
export const validatePrefix = ({ generateName }: ObjectMeta, rule: NameRule = nameIsPathSegment): FieldError[] =>
  generateName ? rule(generateName, true).map(why => invalidValue('metadata.generateName', generateName, why)) : []

const repeated = (times: number, errors: FieldError[]): FieldError[] =>
  errors.length === 0 ? errors : Array.from({ length: times }, () => errors).flat()

function validateChange(meta: ObjectMeta, stored: ObjectMeta, path: string): FieldError[] {
  const errors: FieldError[] = []
  if (stored.deletionTimestamp) validateNoNewFinalizers(meta, stored, path, errors)
  if (!meta.resourceVersion) {
    errors.push(invalidValue(`${path}.resourceVersion`, meta.resourceVersion ?? '', 'must be specified for an update'))
  }
  if ((meta.generation ?? 0) < (stored.generation ?? 0)) {
    errors.push(invalidValue(`${path}.generation`, meta.generation ?? 0, 'must not be decremented'))
  }
  const fixed = [
    'name',
    'namespace',
    'uid',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
  ] as const
  for (const field of fixed) {
    if ((meta[field] ?? '') !== (stored[field] ?? '')) {
      errors.push(invalidValue(`${path}.${field}`, meta[field] ?? null, 'field is immutable'))
    }
  }
  return errors
}

function validateGeneration({ generation = 0 }: ObjectMeta, path: string): FieldError[] {
  return generation < 0 ? [invalidValue(`${path}.generation`, generation, 'must be greater than or equal to 0')] : []
}

function validateShared(types: ResourceTypes, meta: ObjectMeta, path: string): FieldError[] {
  const errors: FieldError[] = meta.labels ? [...validateLabels(meta.labels, `${path}.labels`)] : []
  if (meta.annotations) validateAnnotations(meta.annotations, `${path}.annotations`, errors)
  if (meta.ownerReferences) validateOwners(types, meta.ownerReferences, `${path}.ownerReferences`, errors)
  return errors
}

function validateAnnotations(annotations: Record<string, string>, path: string, errors: FieldError[]): void {
  for (const key of Object.keys(annotations))
    for (const why of isQualifiedName(key.toLowerCase())) errors.push(invalidValue(path, key, why))
  if (areAnnotationsTooLarge(annotations)) errors.push(tooLong(path, maxAnnotationBytes))
}

/** Each error quotes all owners, of which there may be thousands. */
const maxControllerErrors = 10

function validateOwners(
  types: ResourceTypes,
  owners: readonly OwnerReference[],
  path: string,
  errors: FieldError[],
): void {
  let controller: OwnerReference | undefined
  let complaints = 0
  for (const owner of owners) {
    if (!versionIn(owner.apiVersion)) {
      errors.push(invalidValue(`${path}.apiVersion`, owner.apiVersion, 'version must not be empty'))
    }
    if (!owner.kind) errors.push(invalidValue(`${path}.kind`, owner.kind, 'kind must not be empty'))
    if (!owner.name) errors.push(invalidValue(`${path}.name`, owner.name, 'name must not be empty'))
    if (!owner.uid) errors.push(invalidValue(`${path}.uid`, owner.uid, 'uid must not be empty'))
    if (!mayOwn(types, owner)) {
      errors.push(invalidValue(path, owner, 'objects of this kind cannot own others'))
    }
    if (!owner.controller) continue
    if (controller && complaints++ < maxControllerErrors) {
      errors.push(invalidValue(path, owners, `only one reference can have controller set to true (${controller.name})`))
    }
    controller = owner
  }
}

/** The version in `v1` or `group/v1`; empty when there is none. */
function versionIn(apiVersion: string): string {
  const [first = '', second, ...rest] = apiVersion.split('/')
  return rest.length > 0 ? '' : (second ?? first)
}

function mayOwn(types: ResourceTypes, { apiVersion, kind }: OwnerReference): boolean {
  const slash = apiVersion.indexOf('/')
  const type = types.ofKind(slash < 0 ? '' : apiVersion.slice(0, slash), kind)
  // In a version that it does not have it is no kind at all.
  return type?.version(versionIn(apiVersion)) === undefined || (type.definition.mayOwn ?? true)
}

function validateFinalizers({ finalizers = [] }: ObjectMeta, metaPath: string): FieldError[] {
  const path = `${metaPath}.finalizers`
  const errors = finalizers.flatMap(finalizer =>
    isQualifiedName(finalizer).map(why => invalidValue(path, finalizer, why)),
  )
  if (finalizers.includes(orphanFinalizer) && finalizers.includes(foregroundFinalizer)) {
    errors.push(
      invalidValue(path, finalizers, `finalizers ${orphanFinalizer} and ${foregroundFinalizer} cannot be both set`),
    )
  }
  return errors
}

function checkFinalizersKnown(
  { definition }: ResourceType,
  { finalizers = [] }: ObjectMeta,
  metaPath: string,
  ownFinalizer?: string,
): FieldError[] {
  if (definition.plainFinalizers) return []
  return finalizers.flatMap((finalizer, index) =>
    isKnownFinalizer(finalizer, ownFinalizer)
      ? []
      : [
          invalidValue(
            `${metaPath}.finalizers[${index}]`,
            finalizer,
            'name is neither a standard finalizer name nor is it fully qualified',
          ),
        ],
  )
}

function validateNoNewFinalizers(meta: ObjectMeta, stored: ObjectMeta, path: string, errors: FieldError[]): void {
  const known = new Set(stored.finalizers ?? [])
  const added = (meta.finalizers ?? []).filter(finalizer => !known.has(finalizer))
  if (added.length > 0) {
    errors.push(
      forbiddenField(
        `${path}.finalizers`,
        `no new finalizers can be added if the object is being deleted, found new finalizers ${JSON.stringify(added)}`,
      ),
    )
  }
}

const maxSubresourceBytes = 256

function validateManagedFields({ managedFields = [] }: ObjectMeta, metaPath: string): FieldError[] {
  const errors: FieldError[] = []
  for (const [index, { operation, fieldsType, manager = '', subresource = '' }] of managedFields.entries()) {
    const at = `${metaPath}.managedFields[${index}]`
    if (operation !== undefined && operation !== 'Apply' && operation !== 'Update')
      errors.push(invalidValue(`${at}.operation`, operation, 'must be `Apply` or `Update`'))
    if (fieldsType !== undefined && fieldsType !== 'FieldsV1')
      errors.push(invalidValue(`${at}.fieldsType`, fieldsType, 'must be `FieldsV1`'))
    addAll(errors, validateFieldManager(manager, `${at}.manager`))
    if (Buffer.byteLength(subresource) > maxSubresourceBytes)
      errors.push(tooLong(`${at}.subresource`, maxSubresourceBytes))
  }
  return errors
}

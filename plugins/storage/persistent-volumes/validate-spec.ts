import { posix } from 'node:path'
import { addAll, type FieldError, forbiddenField, invalidValue, notSupported, requiredValue } from 'orch/sdk'
import {
  type ClaimRules,
  checkNonNegative,
  checkPositive,
  type PersistentVolumeSource,
  type PersistentVolumeSpec,
  validateAccessModes,
  validateNodeSelector,
  validateVolumeMode,
} from 'orch/sdk/core'
import { isDns1123Subdomain } from 'orch/sdk/validation'
import type { StorageNames } from '../names.js'
import { sourceRules } from './source-rules.js'

const reclaimPolicies = ['Delete', 'Recycle', 'Retain'] as const

/** Rules that depend on gates. */
export interface VolumeRules extends ClaimRules {
  readonly mutableNodeAffinity?: boolean
  /** Whether attributes classes are validated and mutable. */
  readonly attributesClasses?: boolean
}

/** The spec of a volume that is an object of its own. `name` is that of the object. */
export function validateVolumeSpec(
  spec: PersistentVolumeSpec,
  name: string,
  field: string,
  names: StorageNames,
  rules: VolumeRules,
): FieldError[] {
  const { persistentVolumeReclaimPolicy: policy = '', storageClassName: className = '' } = spec
  return [
    ...validateAccessModes(spec.accessModes, `${field}.accessModes`, rules),
    ...checkCapacity(spec.capacity ?? {}, `${field}.capacity`),
    ...(policy === '' || reclaimPolicies.some(known => known === policy)
      ? []
      : [notSupported(`${field}.persistentVolumeReclaimPolicy`, policy, reclaimPolicies)]),
    ...validateNodeAffinity(spec.nodeAffinity, `${field}.nodeAffinity`, rules),
    ...checkSources(spec, { volumeName: name, hasNodes: spec.nodeAffinity !== undefined }, field, names),
    ...(className === ''
      ? []
      : isDns1123Subdomain(className).map(text => invalidValue(`${field}.storageClassName`, className, text))),
    ...validateVolumeMode(spec.volumeMode, `${field}.volumeMode`),
    ...(rules.attributesClasses === false ? [] : checkAttributesClass(spec, field)),
  ]
}

/** Only drivers can change attributes. */
function checkAttributesClass(
  { volumeAttributesClassName: name, csi }: PersistentVolumeSpec,
  field: string,
): FieldError[] {
  if (name === undefined) return []
  const at = `${field}.volumeAttributesClassName`
  return [
    ...(name === ''
      ? [requiredValue(at, 'an empty string is disallowed')]
      : isDns1123Subdomain(name).map(text => invalidValue(at, name, text))),
    ...(csi ? [] : [requiredValue(`${field}.csi`, 'has to be specified when using volumeAttributesClassName')]),
  ]
}

/** The spec of a volume inside an attachment: a source and its access modes, nothing that makes it an object. */
export function validateInlineVolumeSpec(
  spec: PersistentVolumeSpec,
  field: string,
  names: StorageNames,
  rules: ClaimRules = {},
): FieldError[] {
  const inline = 'in the context of inline volumes'
  const unwanted = (name: keyof PersistentVolumeSpec, isSet: boolean) =>
    isSet ? [forbiddenField(`${field}.${name}`, `may not be specified ${inline}`)] : []
  return [
    ...unwanted('claimRef', spec.claimRef !== undefined),
    ...unwanted('capacity', Object.keys(spec.capacity ?? {}).length > 0),
    ...(spec.csi === undefined ? [requiredValue(`${field}.csi`, `has to be specified ${inline}`)] : []),
    ...validateAccessModes(spec.accessModes, `${field}.accessModes`, rules),
    ...unwanted('persistentVolumeReclaimPolicy', !['', 'Retain'].includes(spec.persistentVolumeReclaimPolicy ?? '')),
    ...unwanted('nodeAffinity', spec.nodeAffinity !== undefined),
    ...checkSources(spec, { volumeName: '', hasNodes: false }, field, names),
    ...unwanted('storageClassName', Boolean(spec.storageClassName)),
    ...(spec.volumeMode === undefined || spec.volumeMode === 'Filesystem'
      ? []
      : [forbiddenField(`${field}.volumeMode`, `may not specify volumeMode other than Filesystem ${inline}`)]),
  ]
}

/** The only resource of a volume is storage. */
function checkCapacity(capacity: Readonly<Record<string, string>>, field: string): FieldError[] {
  const resources = Object.keys(capacity)
  const errors: FieldError[] = resources.length === 0 ? [requiredValue(field)] : []
  if (capacity['storage'] === undefined || resources.length > 1) errors.push(notSupported(field, capacity, ['storage']))
  for (const [resource, amount] of Object.entries(capacity)) {
    const at = `${field}[${resource}]`
    addAll(errors, checkNonNegative(amount, at), checkPositive(amount, at))
  }
  return errors
}

/** Names of sources in error paths, where they differ from the field. */
const namesInErrors: Readonly<Record<string, { readonly whenWrong?: string; readonly whenSecond?: string }>> = {
  gcePersistentDisk: { whenWrong: 'persistentDisk' },
  cephfs: { whenSecond: 'cephFS' },
}

/** Exactly one source, which must be valid. */
function checkSources(
  spec: PersistentVolumeSpec,
  { volumeName, hasNodes }: { volumeName: string; hasNodes: boolean },
  field: string,
  names: StorageNames,
): FieldError[] {
  const errors: FieldError[] = []
  let isFirst = true
  for (const [source, check] of Object.entries(sourceRules(names))) {
    const value = spec[source as keyof PersistentVolumeSource]
    if (value === undefined) continue
    const { whenWrong = source, whenSecond = source } = namesInErrors[source] ?? {}
    // The reference does not count flexVolume: it is validated even as a second source.
    if (isFirst || source === 'flexVolume') addAll(errors, check(value as never, `${field}.${whenWrong}`, volumeName))
    else errors.push(forbiddenField(`${field}.${whenSecond}`, 'may not specify more than 1 volume type'))
    if (isFirst && source === 'local' && !hasNodes)
      errors.push(requiredValue(`${field}.nodeAffinity`, 'Local volume requires node affinity'))
    isFirst = false
  }
  if (isFirst) errors.push(requiredValue(field, 'must specify a volume type'))
  const path = spec.hostPath?.path ?? ''
  if (path !== '' && posix.normalize(`${path}/`) === '/' && spec.persistentVolumeReclaimPolicy === 'Recycle')
    errors.push(
      forbiddenField(`${field}.persistentVolumeReclaimPolicy`, "may not be 'recycle' for a hostPath mount of '/'"),
    )
  return errors
}

/** The nodes that can access the volume, if they are restricted. */
function validateNodeAffinity(
  affinity: PersistentVolumeSpec['nodeAffinity'],
  field: string,
  rules: VolumeRules,
): FieldError[] {
  if (affinity === undefined) return []
  return affinity.required === undefined
    ? [requiredValue(`${field}.required`, 'must specify required node constraints')]
    : validateNodeSelector(affinity.required, `${field}.required`, rules)
}

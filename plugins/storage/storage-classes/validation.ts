import { isDeepStrictEqual } from 'node:util'
import { type FieldError, forbiddenField, invalidValue, notSupported, tooLong, type Vendor } from 'orch/sdk'
import { isQualifiedName } from 'orch/sdk/validation'
import { immutableClasses } from '../differences.js'
import { checkUnchanged } from '../immutable-field.js'
import type { StorageClass } from './schema.js'
import { validateAllowedTopologies } from './topology-rules.js'

const reclaimPolicies = ['Delete', 'Retain'] as const
const maxParameters = 512
const maxParameterBytes = 256 * 1024

export function validateStorageClass(storageClass: StorageClass): FieldError[] {
  const { provisioner, parameters = {}, reclaimPolicy = '', allowedTopologies = [] } = storageClass
  return [
    ...(provisioner === '' ? [] : isQualifiedName(provisioner.toLowerCase())).map(text =>
      invalidValue('provisioner', provisioner, text),
    ),
    ...checkParameters(parameters),
    ...(reclaimPolicy === '' || reclaimPolicies.some(known => known === reclaimPolicy)
      ? []
      : [notSupported('reclaimPolicy', reclaimPolicy, reclaimPolicies)]),
    ...validateAllowedTopologies(allowedTopologies, 'allowedTopologies'),
  ]
}

export function checkParameters(parameters: Readonly<Record<string, string>>): FieldError[] {
  const entries = Object.entries(parameters)
  if (entries.length > maxParameters) return [tooLong('parameters', maxParameters)]
  const bytes = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0)
  return [
    ...(Object.hasOwn(parameters, '') ? [invalidValue('parameters', '', 'field can not be empty.')] : []),
    ...(bytes > maxParameterBytes ? [tooLong('parameters', maxParameterBytes)] : []),
  ]
}

/** Fields that provisioned volumes depend on are immutable. */
export function validateStorageClassUpdate(
  sent: StorageClass,
  stored: StorageClass,
  { level }: Pick<Vendor, 'level'>,
): FieldError[] {
  const fixed = ['parameters', 'provisioner', 'reclaimPolicy'] as const
  return [
    ...validateStorageClass(sent),
    ...fixed
      .filter(field => !isDeepStrictEqual(sent[field], stored[field]))
      .map(field =>
        level.has(immutableClasses)
          ? invalidValue(field, sent[field], 'field is immutable')
          : forbiddenField(field, `updates to ${field} are forbidden.`),
      ),
    ...checkUnchanged(sent.volumeBindingMode, stored.volumeBindingMode, 'volumeBindingMode'),
  ]
}

import { isDeepStrictEqual } from 'node:util'
import {
  addAll,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  requiredValue,
} from '../../resource/field-errors.js'
import { isDns1123Label, isDns1123Subdomain } from '../../validation/object-names.js'
import { validateLabelSelector } from '../../validation/selectors.js'
import { type PersistentVolumeClaimSpec, volumeModes } from '../persistent-volume-claim-spec.js'
import type { TypedLocalObjectReference, TypedObjectReference } from '../references.js'
import { requireFields } from './field-rules.js'
import { checkPositive } from './resource-quantities.js'

/** How a volume may be mounted. */
export const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce'] as const

const singlePod = 'ReadWriteOncePod'

/** Rules of claims that depend on gates. */
export interface ClaimRules {
  /** Whether the access mode ReadWriteOncePod is served. */
  readonly singlePod?: boolean
  /** Whether groups of data sources must be valid group names. */
  readonly checkedGroups?: boolean
  /** Whether the class of attributes may be any text. */
  readonly takesAnyAttributesClass?: boolean
  /** Whether values in selectors must be valid label values. */
  readonly checksValues?: boolean
}

/** Access modes at `field`: at least one, all known. */
export function validateAccessModes(
  modes: readonly string[] | undefined,
  field: string,
  rules: ClaimRules = {},
): FieldError[] {
  if (modes === undefined || modes.length === 0) return [requiredValue(field, 'at least 1 access mode is required')]
  const supported = rules.singlePod ? [...accessModes, singlePod] : accessModes
  const unknown = modes.filter(mode => !supported.some(known => known === mode))
  const errors = unknown.map(mode => notSupported(field, mode, supported))
  // Rejected beside other modes even where it is not served.
  if (modes.includes(singlePod) && modes.some(mode => accessModes.some(known => known === mode)))
    errors.push(forbiddenField(field, `may not use ${singlePod} with other access modes`))
  return errors
}

/** The volume mode at `field`, when there is one. */
export const validateVolumeMode = (mode: string | undefined, field: string): FieldError[] =>
  mode === undefined || volumeModes.some(known => known === mode) ? [] : [notSupported(field, mode, volumeModes)]

/** The object a claim is filled from: a claim, or an object of a group of its own. */
function validateDataSource(
  source: TypedLocalObjectReference,
  field: string,
  { checkedGroups }: ClaimRules,
): FieldError[] {
  const errors = requireFields(source, field, 'name', 'kind')
  if (!source.apiGroup && source.kind !== 'PersistentVolumeClaim')
    errors.push(
      invalidValue(field, source.kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"),
    )
  if (source.apiGroup && checkedGroups)
    addAll(
      errors,
      isDns1123Subdomain(source.apiGroup).map(text => invalidValue(`${field}.apiGroup`, source.apiGroup, text)),
    )
  return errors
}

/** Both name the same object, unless it is one of another namespace, which only the reference can name. */
function compareDataSources({ dataSource, dataSourceRef }: PersistentVolumeClaimSpec, field: string): FieldError[] {
  if (!dataSourceRef) return []
  const { namespace = '', ...local }: TypedObjectReference = dataSourceRef
  const errors =
    namespace === ''
      ? []
      : isDns1123Label(namespace).map(text => invalidValue(`${field}.dataSourceRef.namespace`, namespace, text))
  if (!dataSource) return errors
  const differ = (why: string) => [...errors, invalidValue(field, `${field}.dataSource`, why)]
  if (namespace !== '') return differ('may not be specified when dataSourceRef.namespace is specified')
  return isDeepStrictEqual(dataSource, local) ? errors : differ('must match dataSourceRef')
}

/** The spec of a claim, also inside the template of an ephemeral volume. */
export function validatePersistentVolumeClaimSpec(
  spec: PersistentVolumeClaimSpec,
  field: string,
  rules: ClaimRules = {},
): FieldError[] {
  const { dataSource, dataSourceRef, storageClassName = '', volumeAttributesClassName: attributes = '' } = spec
  const errors: FieldError[] = []
  if ((spec.accessModes ?? []).length === 0) addAll(errors, validateAccessModes([], `${field}.accessModes`))
  addAll(errors, validateLabelSelector(spec.selector, `${field}.selector`, rules))
  if ((spec.accessModes ?? []).length > 0)
    addAll(errors, validateAccessModes(spec.accessModes, `${field}.accessModes`, rules))
  const storage = spec.resources?.requests?.storage
  const at = `${field}.resources[storage]`
  addAll(errors, storage === undefined ? [requiredValue(at)] : checkPositive(storage, at))
  if (storageClassName !== '')
    addAll(
      errors,
      isDns1123Subdomain(storageClassName).map(text =>
        invalidValue(`${field}.storageClassName`, storageClassName, text),
      ),
    )
  addAll(errors, validateVolumeMode(spec.volumeMode, `${field}.volumeMode`))
  if (dataSource) addAll(errors, validateDataSource(dataSource, `${field}.dataSource`, rules))
  if (dataSourceRef) addAll(errors, validateDataSource(dataSourceRef, `${field}.dataSourceRef`, rules))
  addAll(errors, compareDataSources(spec, field))
  if (attributes !== '' && !rules.takesAnyAttributesClass)
    addAll(
      errors,
      isDns1123Subdomain(attributes).map(text => invalidValue(`${field}.volumeAttributesClassName`, attributes, text)),
    )
  return errors
}

import { isDeepStrictEqual } from 'node:util'
import { addAll, type FieldError, forbiddenField } from 'orch/sdk'
import { PersistentVolumeSource, type PersistentVolumeSpec } from 'orch/sdk/core'
import { checkUnchanged } from '../immutable-field.js'
import type { StorageNames } from '../names.js'
import { checkNodeAffinityKept } from './node-affinity-change.js'
import type { PersistentVolume } from './schema.js'
import { type VolumeRules, validateVolumeSpec } from './validate-spec.js'

const validateObject = (
  { metadata, spec = {} }: PersistentVolume,
  names: StorageNames,
  rules: VolumeRules,
): FieldError[] => validateVolumeSpec(spec, metadata?.name ?? '', 'spec', names, rules)

export const validateVolume = (
  volume: PersistentVolume,
  names: StorageNames,
  rules: VolumeRules = {},
): FieldError[] => [...validateObject(volume, names, rules), ...checkMountOptions(volume, names)]

/** Sources that do not support the annotation for mount options. */
const withoutMountOptions = [
  'hostPath',
  'local',
  'fc',
  'flexVolume',
  'flocker',
  'scaleIO',
  'portworxVolume',
  'storageos',
  'csi',
] as const
function checkMountOptions(volume: PersistentVolume, { mountOptionsAnnotation }: StorageNames): FieldError[] {
  const { metadata, spec = {} } = volume
  const sources = Object.keys(sourceOf(spec))
  const mayHaveThem = sources.some(source => !withoutMountOptions.some(other => other === source))
  return mayHaveThem || metadata?.annotations?.[mountOptionsAnnotation] === undefined
    ? []
    : [
        forbiddenField(
          `metadata.annotations.${mountOptionsAnnotation}`,
          'may not specify mount options for this volume type',
        ),
      ]
}

/** The source is immutable. Errors of the object are reported twice, as by the reference. */
export function validateVolumeUpdate(
  sent: PersistentVolume,
  stored: PersistentVolume,
  names: StorageNames,
  rules: VolumeRules = {},
): FieldError[] {
  const { spec: before = {} } = stored
  const { spec: after = {} } = sent
  const canChangeAttributes = rules.attributesClasses !== false
  const ofObject = {
    ...rules,
    attributesClasses: canChangeAttributes || before.volumeAttributesClassName !== undefined,
  }
  const errors = [...validateVolume(sent, names, ofObject), ...validateObject(sent, names, ofObject)]
  if (!isDeepStrictEqual(comparableSource(after, before), sourceOf(before)))
    errors.push(
      forbiddenField('spec.persistentvolumesource', 'spec.persistentvolumesource is immutable after creation'),
    )
  addAll(errors, checkUnchanged(after.volumeMode, before.volumeMode, 'volumeMode'))
  // The node affinity may be set once.
  if (before.nodeAffinity !== undefined && !rules.mutableNodeAffinity)
    addAll(errors, checkNodeAffinityKept(after.nodeAffinity, before.nodeAffinity, names))
  if (!canChangeAttributes && after.volumeAttributesClassName !== before.volumeAttributesClassName)
    errors.push(forbiddenField('spec.volumeAttributesClassName', 'update is forbidden when the gate is off'))
  if (before.volumeAttributesClassName !== undefined && after.volumeAttributesClassName === undefined)
    errors.push(forbiddenField('spec.volumeAttributesClassName', 'update from non-nil value to nil is forbidden'))
  return errors
}

const sourceNames = Object.keys(PersistentVolumeSource.properties)
const sourceOf = (spec: PersistentVolumeSpec): PersistentVolumeSource =>
  Object.fromEntries(Object.entries(spec).filter(([name]) => sourceNames.includes(name)))

/** A Secret for expansion may be added to a volume that has none. */
function comparableSource(spec: PersistentVolumeSpec, stored: PersistentVolumeSpec): PersistentVolumeSource {
  const source = sourceOf(spec)
  if (!source.csi?.controllerExpandSecretRef || !stored.csi || stored.csi.controllerExpandSecretRef) return source
  const { controllerExpandSecretRef: _, ...csi } = source.csi
  return { ...source, csi }
}

import type { ServedLevel } from '../../../plugin/level.js'
import {
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  requiredValue,
} from '../../../resource/field-errors.js'
import { isDns1123Label, isDns1123Subdomain } from '../../../validation/object-names.js'
import { pullPolicies } from '../../container.js'
import type { CSIVolumeSource, EmptyDirVolumeSource, StorageOSVolumeSource } from '../../pod-volume-sources.js'
import { validateCsiDriverName } from '../../validation/csi-driver-name.js'
import { requireFields } from '../../validation/field-rules.js'
import { validateFlexVolume } from '../../validation/flex-volume-rules.js'
import { validateIscsiTarget } from '../../validation/iscsi-rules.js'
import { compareAmountTexts } from '../../validation/resource-quantities.js'
import { sharedVolumeRules } from '../../validation/shared-volume-rules.js'
import { checkFileMode, checkLocalPath } from '../../validation/volume-paths.js'
import type { VolumeSource } from '../../volume.js'
import { missingDriverNames, publishSecretAtItsPath } from '../volume-differences.js'
import { validateEphemeral } from './ephemeral-rules.js'
import { validateDownwardFile, validateKeyPaths, validateProjected } from './projected-rules.js'
import type { VolumeLimits } from './volume-limits.js'

const media = ['', 'Memory']
function validateEmptyDir(
  { medium = '', sizeLimit }: EmptyDirVolumeSource,
  field: string,
  takesAnyMedium: boolean,
): FieldError[] {
  const errors: FieldError[] = []
  if (!takesAnyMedium && !media.includes(medium)) errors.push(notSupported(`${field}.medium`, medium, media))
  if (sizeLimit !== undefined && compareAmountTexts(sizeLimit, '0') < 0)
    errors.push(forbiddenField(`${field}.sizeLimit`, 'SizeLimit field must be a valid resource quantity'))
  return errors
}

function validateStorageOS(source: StorageOSVolumeSource, field: string): FieldError[] {
  const { volumeName = '', volumeNamespace = '', secretRef } = source
  const checkLabel = (value: string, at: string) => isDns1123Label(value).map(text => invalidValue(at, value, text))
  return [
    ...(volumeName === '' ? requireFields(source, field, 'volumeName') : checkLabel(volumeName, `${field}.volumeName`)),
    ...(volumeNamespace === '' ? [] : checkLabel(volumeNamespace, `${field}.volumeNamespace`)),
    ...(secretRef ? requireFields(secretRef, `${field}.secretRef`, 'name') : []),
  ]
}

function validateCsi(
  { driver, nodePublishSecretRef: secret }: CSIVolumeSource,
  field: string,
  level: ServedLevel,
): FieldError[] {
  const errors = validateCsiDriverName(driver, `${field}.driver`, !level.has(missingDriverNames))
  if (!secret) return errors
  const { name = '' } = secret
  const at = `${field}.nodePublishSecretRef${level.has(publishSecretAtItsPath) ? '' : ' '}`
  // Kubernetes reports a malformed name at the source itself.
  const wrong =
    name === ''
      ? requireFields(secret, at, 'name')
      : isDns1123Subdomain(name).map(text => invalidValue(`${field}.name`, name, text))
  return [...errors, ...wrong]
}

type Sources = Required<VolumeSource>
/** Validates each source that a volume can have, in the order in which they are checked: the first one is the source of the volume. */
export const sourceRules = ({
  reservedDomains,
  isLenient,
  isTemplate = false,
  claimRules,
  level,
  ...limits
}: VolumeLimits): { [K in keyof Sources]: (source: Sources[K], field: string) => FieldError[] } => ({
  emptyDir: (source, field) => validateEmptyDir(source, field, isLenient),
  hostPath: sharedVolumeRules.hostPath,
  gitRepo: (source, field) => [
    ...requireFields(source, field, 'repository'),
    ...checkLocalPath(source.directory ?? '', `${field}.directory`),
  ],
  gcePersistentDisk: sharedVolumeRules.gcePersistentDisk,
  awsElasticBlockStore: sharedVolumeRules.awsElasticBlockStore,
  secret: (source, field) => [
    ...requireFields(source, field, 'secretName'),
    ...checkFileMode(source.defaultMode, `${field}.defaultMode`),
    ...validateKeyPaths(source.items, field),
  ],
  nfs: sharedVolumeRules.nfs,
  iscsi: validateIscsiTarget,
  glusterfs: (source, field) => requireFields(source, field, 'endpoints', 'path'),
  flocker: sharedVolumeRules.flocker,
  persistentVolumeClaim: (source, field) => requireFields(source, field, 'claimName'),
  rbd: (source, field) => requireFields(source, field, 'monitors', 'image'),
  cinder: (source, field) => [
    ...requireFields(source, field, 'volumeID'),
    ...(source.secretRef ? requireFields(source.secretRef, `${field}.secretRef`, 'name') : []),
  ],
  cephfs: (source, field) => requireFields(source, field, 'monitors'),
  quobyte: sharedVolumeRules.quobyte,
  downwardAPI: (source, field) => [
    ...checkFileMode(source.defaultMode, `${field}.defaultMode`),
    ...(source.items ?? []).flatMap(file => validateDownwardFile(file, field, { isLenient, ...limits })),
  ],
  fc: sharedVolumeRules.fc,
  flexVolume: (source, field) => validateFlexVolume(source, field, reservedDomains),
  configMap: (source, field) => [
    ...requireFields(source, field, 'name'),
    ...checkFileMode(source.defaultMode, `${field}.defaultMode`),
    ...validateKeyPaths(source.items, field),
  ],
  azureFile: (source, field) => requireFields(source, field, 'secretName', 'shareName'),
  vsphereVolume: sharedVolumeRules.vsphereVolume,
  photonPersistentDisk: sharedVolumeRules.photonPersistentDisk,
  portworxVolume: sharedVolumeRules.portworxVolume,
  azureDisk: sharedVolumeRules.azureDisk,
  storageos: validateStorageOS,
  projected: (source, field) => validateProjected(source, field, { isLenient, ...limits }),
  scaleIO: (source, field) => requireFields(source, field, 'gateway', 'system', 'volumeName'),
  csi: (source, field) => validateCsi(source, field, level),
  ephemeral: (source, field) => validateEphemeral(source, field, claimRules),
  image: ({ reference = '', pullPolicy = '' }, field) => [
    ...(reference === '' && !isTemplate ? [requiredValue(`${field}.reference`)] : []),
    ...(pullPolicies.includes(pullPolicy) ? [] : [notSupported(`${field}.pullPolicy`, pullPolicy, pullPolicies)]),
  ],
})

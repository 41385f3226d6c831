import { type FieldError, invalidValue, requiredValue } from 'orch/sdk'
import {
  type CSIPersistentVolumeSource,
  checkNoBacksteps,
  type ISCSIPersistentVolumeSource,
  isIscsiNameTooLong,
  type LocalVolumeSource,
  type PersistentVolumeSource,
  requireFields,
  type StorageOSPersistentVolumeSource,
  sharedVolumeRules,
  validateCsiDriverName,
  validateFlexVolume,
  validateIscsiTarget,
} from 'orch/sdk/core'
import { isDns1123Label, isDns1123Subdomain } from 'orch/sdk/validation'
import type { StorageNames } from '../names.js'

const checkLabel = (value: string, field: string): FieldError[] =>
  isDns1123Label(value).map(text => invalidValue(field, value, text))
const checkDomain = (value: string, field: string): FieldError[] =>
  isDns1123Subdomain(value).map(text => invalidValue(field, value, text))
/** A Secret whose namespace is required, because a volume has none of its own. */
const requireSecret = (
  secret: { name?: string; namespace?: string } | null | undefined,
  field: string,
): FieldError[] => (secret ? requireFields(secret, field, 'name', 'namespace') : [])

function validateIscsi(source: ISCSIPersistentVolumeSource, field: string, volumeName: string): FieldError[] {
  const tooLong = invalidValue(
    `${field}.targetportal`,
    source.targetPortal,
    'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.',
  )
  return validateIscsiTarget(source, field, {
    ofPortal: isIscsiNameTooLong(volumeName, source) ? [tooLong] : [],
    ofSecret: source.secretRef ? requireFields(source.secretRef, `${field}.secretRef`, 'name') : [],
  })
}

/** Secrets of a CSI volume. */
const csiSecrets = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
  'nodeStageSecretRef',
] as const

function validateCsi(source: CSIPersistentVolumeSource, field: string, names: SourceNames): FieldError[] {
  const { checksStageSecret, missingNamesAreInvalid, publishSecretInErrors } = names
  const checkSecret = (name: (typeof csiSecrets)[number]): FieldError[] => {
    const nameInErrors = name === 'nodePublishSecretRef' ? publishSecretInErrors : name
    const secret = source[name]
    if (!secret || (name === 'nodeStageSecretRef' && !checksStageSecret)) return []
    const { name: secretName = '', namespace = '' } = secret
    const at = `${field}.${nameInErrors}`
    const ofMalformed = names.csiSecretsHaveTheirPath ? at : field
    const checkName = names.csiSecretsMayBeDomains ? checkDomain : checkLabel
    return [
      ...requireSecret(secret, at),
      ...(secretName === '' ? [] : checkName(secretName, `${ofMalformed}.name`)),
      ...(namespace === '' ? [] : checkLabel(namespace, `${ofMalformed}.namespace`)),
    ]
  }
  return [
    ...validateCsiDriverName(source.driver, `${field}.driver`, missingNamesAreInvalid),
    ...requireFields(source, field, 'volumeHandle'),
    ...csiSecrets.flatMap(checkSecret),
  ]
}

function validateStorageOS(source: StorageOSPersistentVolumeSource, field: string): FieldError[] {
  const { volumeName = '', volumeNamespace = '', secretRef } = source
  return [
    ...(volumeName === '' ? [requiredValue(`${field}.volumeName`)] : checkLabel(volumeName, `${field}.volumeName`)),
    ...(volumeNamespace === '' ? [] : checkLabel(volumeNamespace, `${field}.volumeNamespace`)),
    ...requireSecret(secretRef, `${field}.secretRef`),
  ]
}

const validateLocal = ({ path }: LocalVolumeSource, field: string): FieldError[] =>
  path === '' ? [requiredValue(`${field}.path`)] : checkNoBacksteps(path, `${field}.path`)

type Sources = Required<PersistentVolumeSource>
type Rules = { [K in keyof Sources]: (source: Sources[K], field: string, volumeName: string) => FieldError[] }

type SourceNames = Pick<
  StorageNames,
  | 'reservedDomains'
  | 'checksStageSecret'
  | 'missingNamesAreInvalid'
  | 'publishSecretInErrors'
  | 'csiSecretsHaveTheirPath'
  | 'csiSecretsMayBeDomains'
>
/** Validates each kind of source, in the order of the reference: the first one that is set counts. */
export const sourceRules = (names: SourceNames): Rules => ({
  hostPath: sharedVolumeRules.hostPath,
  gcePersistentDisk: sharedVolumeRules.gcePersistentDisk,
  awsElasticBlockStore: sharedVolumeRules.awsElasticBlockStore,
  glusterfs: (source, field) => [
    ...requireFields(source, field, 'endpoints', 'path'),
    ...(source.endpointsNamespace === undefined
      ? []
      : checkLabel(source.endpointsNamespace, `${field}.endpointsNamespace`)),
  ],
  flocker: sharedVolumeRules.flocker,
  nfs: sharedVolumeRules.nfs,
  rbd: (source, field) => requireFields(source, field, 'monitors', 'image'),
  quobyte: sharedVolumeRules.quobyte,
  cephfs: (source, field) => requireFields(source, field, 'monitors'),
  iscsi: validateIscsi,
  cinder: (source, field) => [
    ...requireFields(source, field, 'volumeID'),
    ...requireSecret(source.secretRef, `${field}.secretRef`),
  ],
  fc: sharedVolumeRules.fc,
  flexVolume: (source, field) => validateFlexVolume(source, field, names.reservedDomains),
  azureFile: (source, field) => [
    ...requireFields(source, field, 'secretName', 'shareName'),
    ...(source.secretNamespace === '' ? [requiredValue(`${field}.secretNamespace`)] : []),
  ],
  vsphereVolume: sharedVolumeRules.vsphereVolume,
  photonPersistentDisk: sharedVolumeRules.photonPersistentDisk,
  portworxVolume: sharedVolumeRules.portworxVolume,
  azureDisk: sharedVolumeRules.azureDisk,
  scaleIO: (source, field) => requireFields(source, field, 'gateway', 'system', 'volumeName'),
  local: validateLocal,
  storageos: validateStorageOS,
  csi: (source, field) => validateCsi(source, field, names),
})

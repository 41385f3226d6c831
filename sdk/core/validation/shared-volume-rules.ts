import { addAll, type FieldError, invalidValue, notSupported, requiredValue } from '../../resource/field-errors.js'
import type {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  FCVolumeSource,
  FlockerVolumeSource,
  GCEPersistentDiskVolumeSource,
  HostPathVolumeSource,
  NFSVolumeSource,
  PhotonPersistentDiskVolumeSource,
  PortworxVolumeSource,
  QuobyteVolumeSource,
  VsphereVirtualDiskVolumeSource,
} from '../shared-volume-sources.js'
import { requireFields } from './field-rules.js'
import { checkLun } from './iscsi-rules.js'
import { checkNoBacksteps } from './volume-paths.js'

const maxPartition = 255
const checkPartition = (partition = 0, field: string): FieldError[] =>
  partition < 0 || partition > maxPartition
    ? [invalidValue(`${field}.partition`, partition, `must be between 0 and ${maxPartition}, inclusive`)]
    : []

const hostPathTypes = [
  '',
  'DirectoryOrCreate',
  'Directory',
  'FileOrCreate',
  'File',
  'Socket',
  'CharDevice',
  'BlockDevice',
] as const
function validateHostPath({ path, type }: HostPathVolumeSource, field: string): FieldError[] {
  if (path === '') return [requiredValue(`${field}.path`)]
  const isKnown = type === undefined || hostPathTypes.some(known => known === type)
  return [
    ...checkNoBacksteps(path, `${field}.path`),
    ...(isKnown ? [] : [notSupported(`${field}.type`, type, hostPathTypes)]),
  ]
}

const validateNfs = (source: NFSVolumeSource, field: string): FieldError[] => [
  ...requireFields(source, field, 'server', 'path'),
  ...(source.path.startsWith('/') ? [] : [invalidValue(`${field}.path`, source.path, 'must be an absolute path')]),
]

function validateFibreChannel({ targetWWNs = [], wwids = [], lun }: FCVolumeSource, field: string): FieldError[] {
  const errors: FieldError[] = []
  const names = `${field}.targetWWNs`
  if (targetWWNs.length === 0 && wwids.length === 0)
    errors.push(requiredValue(names, 'must specify either targetWWNs or wwids, but not both'))
  if (targetWWNs.length > 0 && wwids.length > 0)
    errors.push(invalidValue(names, targetWWNs, 'targetWWNs and wwids can not be specified simultaneously'))
  if (targetWWNs.length > 0) {
    if (lun === undefined) errors.push(requiredValue(`${field}.lun`, 'lun is required if targetWWNs is specified'))
    else addAll(errors, checkLun(lun, `${field}.lun`))
  }
  return errors
}

function validateFlocker({ datasetName = '', datasetUUID = '' }: FlockerVolumeSource, field: string): FieldError[] {
  const errors: FieldError[] = []
  if (datasetName === '' && datasetUUID === '')
    errors.push(requiredValue(field, 'one of datasetName and datasetUUID is required'))
  if (datasetName !== '' && datasetUUID !== '')
    errors.push(invalidValue(field, 'resource', 'datasetName and datasetUUID can not be specified simultaneously'))
  if (datasetName.includes('/')) errors.push(invalidValue(`${field}.datasetName`, datasetName, "must not contain '/'"))
  return errors
}

const maxTenantLength = 64
const isHostAndPort = (pair: string) => /^(\[[^[\]]*\]|[^:[\]]*):[^:]*$/.test(pair)
function validateQuobyte(source: QuobyteVolumeSource, field: string): FieldError[] {
  const { registry, tenant = '' } = source
  const pairs = 'must be a host:port pair or multiple pairs separated by commas'
  const errors: FieldError[] = []
  if (registry === '') errors.push(requiredValue(`${field}.registry`, pairs))
  else if (tenant.length > maxTenantLength)
    errors.push(
      requiredValue(`${field}.tenant`, `must be a UUID and may not exceed a length of ${maxTenantLength} characters`),
    )
  else
    for (const pair of registry.split(','))
      if (!isHostAndPort(pair)) errors.push(invalidValue(`${field}.registry`, registry, pairs))
  return [...errors, ...requireFields(source, field, 'volume')]
}

const cachingModes = ['None', 'ReadOnly', 'ReadWrite']
const diskKinds = ['Dedicated', 'Managed', 'Shared']
function validateAzureDisk(source: AzureDiskVolumeSource, field: string): FieldError[] {
  const { diskURI, cachingMode, kind } = source
  const errors = requireFields(source, field, 'diskName', 'diskURI')
  if (cachingMode !== undefined && !cachingModes.includes(cachingMode))
    errors.push(notSupported(`${field}.cachingMode`, cachingMode, cachingModes))
  if (kind !== undefined && !diskKinds.includes(kind)) errors.push(notSupported(`${field}.kind`, kind, diskKinds))
  if (kind === 'Managed' && !diskURI.startsWith('/subscriptions/'))
    errors.push(
      notSupported(`${field}.diskURI`, diskURI, [
        '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}',
      ]),
    )
  if (kind !== undefined && kind !== 'Managed' && !diskURI.startsWith('https://'))
    errors.push(
      notSupported(`${field}.diskURI`, diskURI, [
        'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd',
      ]),
    )
  return errors
}

/** The rules of every volume source that Pods and PersistentVolumes describe alike, by the name of their field. */
export const sharedVolumeRules = {
  hostPath: validateHostPath,
  nfs: validateNfs,
  fc: validateFibreChannel,
  flocker: validateFlocker,
  quobyte: validateQuobyte,
  azureDisk: validateAzureDisk,
  gcePersistentDisk: (source: GCEPersistentDiskVolumeSource, field: string): FieldError[] => [
    ...requireFields(source, field, 'pdName'),
    ...checkPartition(source.partition, field),
  ],
  awsElasticBlockStore: (source: AWSElasticBlockStoreVolumeSource, field: string): FieldError[] => [
    ...requireFields(source, field, 'volumeID'),
    ...checkPartition(source.partition, field),
  ],
  photonPersistentDisk: (source: PhotonPersistentDiskVolumeSource, field: string): FieldError[] =>
    requireFields(source, field, 'pdID'),
  portworxVolume: (source: PortworxVolumeSource, field: string): FieldError[] =>
    requireFields(source, field, 'volumeID'),
  vsphereVolume: (source: VsphereVirtualDiskVolumeSource, field: string): FieldError[] =>
    requireFields(source, field, 'volumePath'),
}

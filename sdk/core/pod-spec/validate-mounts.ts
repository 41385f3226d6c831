import {
  addAll,
  type FieldError,
  fieldNotFound,
  forbiddenField,
  invalidValue,
  notSupported,
  requiredValue,
} from '../../resource/field-errors.js'
import type { Container, VolumeDevice, VolumeMount } from '../container.js'
import { checkLocalPath, checkNoBacksteps } from '../validation/volume-paths.js'
import type { KnownVolumes } from './volumes/validate-volumes.js'

const propagations = ['Bidirectional', 'HostToContainer', 'None'] as const

/** The names and paths of volumes, for lookups. If a volume has several paths, the last one counts. */
function pathsByName(places: readonly (readonly [name: string, path: string])[]) {
  const names = new Map(places)
  return { names, paths: new Set(names.values()) }
}

/** Validates the volumes mounted into a container. Errors about paths inside the volume name the list, as in Kubernetes. */
export function validateVolumeMounts(container: Container, volumes: KnownVolumes, field: string): FieldError[] {
  const { volumeMounts = [], volumeDevices = [] } = container
  const devices = pathsByName(volumeDevices.map(({ name, devicePath }) => [name, devicePath]))
  const mountPaths = new Set<string>()
  const errors: FieldError[] = []
  for (const [i, { name, mountPath, subPath = '', subPathExpr = '', mountPropagation }] of volumeMounts.entries()) {
    const at = `${field}[${i}]`
    if (name === '') errors.push(requiredValue(`${at}.name`))
    if (!volumes.has(name)) errors.push(fieldNotFound(`${at}.name`, name))
    if (mountPath === '') errors.push(requiredValue(`${at}.mountPath`))
    if (mountPaths.has(mountPath)) errors.push(invalidValue(`${at}.mountPath`, mountPath, 'must be unique'))
    mountPaths.add(mountPath)
    if (devices.names.has(name))
      errors.push(invalidValue(`${at}.name`, name, 'must not already exist in volumeDevices'))
    if (devices.paths.has(mountPath))
      errors.push(invalidValue(`${at}.mountPath`, mountPath, 'must not already exist as a path in volumeDevices'))
    if (subPath !== '') addAll(errors, checkLocalPath(subPath, `${field}.subPath`))
    if (subPathExpr !== '') {
      if (subPath !== '')
        errors.push(invalidValue(`${at}.subPathExpr`, subPathExpr, 'subPathExpr and subPath are mutually exclusive'))
      addAll(errors, checkLocalPath(subPathExpr, `${field}.subPathExpr`))
    }
    addAll(errors, checkPropagation(mountPropagation, container, `${field}.mountPropagation`))
    addAll(errors, checkRecursive(volumeMounts[i]!, `${field}.recursiveReadOnly`))
  }
  return errors
}

function checkPropagation(propagation: string | undefined, container: Container, field: string): FieldError[] {
  if (propagation === undefined) return []
  const errors: FieldError[] = []
  if (!propagations.some(known => known === propagation)) errors.push(notSupported(field, propagation, propagations))
  if (propagation === 'Bidirectional' && container.securityContext?.privileged !== true)
    errors.push(forbiddenField(field, 'Bidirectional mount propagation is available only to privileged containers'))
  return errors
}

const recursions = ['Disabled', 'Enabled', 'IfPossible'] as const
function checkRecursive(mount: VolumeMount, field: string): FieldError[] {
  const { recursiveReadOnly: recursive, readOnly = false, mountPropagation = 'None' } = mount
  if (recursive === undefined || recursive === 'Disabled') return []
  if (!recursions.some(known => known === recursive)) return [notSupported(field, recursive, recursions)]
  return [
    ...(readOnly ? [] : [forbiddenField(field, 'may only be specified when readOnly is true')]),
    ...(mountPropagation === 'None'
      ? []
      : [forbiddenField(field, 'may only be specified when mountPropagation is None or not specified')]),
  ]
}

/** Validates the raw block volumes of a container. */
export function validateVolumeDevices(
  { volumeMounts = [], volumeDevices = [] }: { volumeMounts?: VolumeMount[]; volumeDevices?: VolumeDevice[] },
  volumes: KnownVolumes,
  field: string,
): FieldError[] {
  const mounts = pathsByName(volumeMounts.map(({ name, mountPath }) => [name, mountPath]))
  const names = new Set<string>()
  const paths = new Set<string>()
  const errors: FieldError[] = []
  for (const [i, { name, devicePath }] of volumeDevices.entries()) {
    const at = `${field}[${i}]`
    const volume = volumes.get(name)
    if (name === '') errors.push(requiredValue(`${at}.name`))
    if (names.has(name)) errors.push(invalidValue(`${at}.name`, name, 'must be unique'))
    if (volume === undefined) errors.push(fieldNotFound(`${at}.name`, name))
    else if (!volume.persistentVolumeClaim && !volume.ephemeral)
      errors.push(
        invalidValue(
          `${at}.name`,
          name,
          'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
        ),
      )
    if (devicePath === '') errors.push(requiredValue(`${at}.devicePath`))
    if (paths.has(devicePath)) errors.push(invalidValue(`${at}.devicePath`, devicePath, 'must be unique'))
    if (checkNoBacksteps(devicePath, '').length > 0)
      errors.push(invalidValue(`${at}.devicePath`, devicePath, "can not contain backsteps ('..')"))
    else paths.add(devicePath)
    if (mounts.names.has(name)) errors.push(invalidValue(`${at}.name`, name, 'must not already exist in volumeMounts'))
    if (mounts.paths.has(devicePath))
      errors.push(invalidValue(`${at}.devicePath`, devicePath, 'must not already exist as a path in volumeMounts'))
    if (name !== '') names.add(name)
  }
  return errors
}

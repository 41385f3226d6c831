import {
  addAll,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  requiredValue,
} from '../../../resource/field-errors.js'
import { nameIsDnsSubdomain } from '../../../validation/object-names.js'
import { validateLabelSelector } from '../../../validation/selectors.js'
import { isSignerOf, validateSignerName } from '../../../validation/signer-names.js'
import { validateUserAnnotations } from '../../../validation/user-annotations.js'
import type {
  ClusterTrustBundleProjection,
  DownwardAPIVolumeFile,
  KeyToPath,
  PodCertificateProjection,
  ProjectedVolumeSource,
  ServiceAccountTokenProjection,
  VolumeProjection,
} from '../../projected-volume-sources.js'
import { requireFields } from '../../validation/field-rules.js'
import { checkFileMode, checkLocalNonReservedPath } from '../../validation/volume-paths.js'
import { type HostAddressRules, validateFileField, validateFileResource } from '../downward-fields.js'
import type { VolumeLimits } from './volume-limits.js'

/** One key put at one path. */
function validateKeyToPath(item: KeyToPath, field: string): FieldError[] {
  return [
    ...requireFields(item, field, 'key', 'path'),
    ...checkLocalNonReservedPath(item.path, `${field}.path`),
    ...checkFileMode(item.mode, `${field}.mode`),
  ]
}
/** Keys of one object put at paths. */
export const validateKeyPaths = (items: readonly KeyToPath[] = [], field: string): FieldError[] =>
  items.flatMap((item, i) => validateKeyToPath(item, `${field}.items[${i}]`))

/** One file of the downward API. Its errors name the volume, not the item, as in Kubernetes. */
export function validateDownwardFile(
  file: DownwardAPIVolumeFile,
  field: string,
  rules: HostAddressRules & Pick<VolumeLimits, 'isLenient'>,
): FieldError[] {
  const errors = [...requireFields(file, field, 'path'), ...checkLocalNonReservedPath(file.path, `${field}.path`)]
  if (file.fieldRef) {
    addAll(errors, validateFileField(file.fieldRef, `${field}.fieldRef`, rules))
    if (file.resourceFieldRef)
      errors.push(invalidValue(field, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'))
  } else if (file.resourceFieldRef)
    addAll(errors, validateFileResource(file.resourceFieldRef, `${field}.resourceFieldRef`, rules.isLenient))
  else errors.push(requiredValue(field, 'one of fieldRef and resourceFieldRef is required'))
  return [...errors, ...checkFileMode(file.mode, `${field}.mode`)]
}

const minTokenSeconds = 600
const maxTokenSeconds = 2 ** 32
function validateToken(token: ServiceAccountTokenProjection, field: string): FieldError[] {
  const seconds = token.expirationSeconds ?? 0
  const errors: FieldError[] = []
  if (seconds < minTokenSeconds)
    errors.push(invalidValue(`${field}.expirationSeconds`, seconds, 'may not specify a duration less than 10 minutes'))
  if (seconds > maxTokenSeconds)
    errors.push(
      invalidValue(`${field}.expirationSeconds`, seconds, 'may not specify a duration larger than 2^32 seconds'),
    )
  return errors
}

/** Before the last colon is the signer, whose slash is a colon, too. */
function checkBundleName(name: string): string[] {
  const end = name.lastIndexOf(':')
  const signer = name.slice(0, Math.max(end, 0))
  return end === 0 || signer.includes('/')
    ? ['must begin with the name of the signer, with colons instead of slashes']
    : nameIsDnsSubdomain(name.slice(end + 1), false)
}

function validateTrustBundle(bundle: ClusterTrustBundleProjection, field: string): FieldError[] {
  const { name, signerName, labelSelector, path } = bundle
  const errors: FieldError[] = []
  if (name !== undefined && signerName !== undefined)
    errors.push(invalidValue(field, bundle, 'only one of name and signerName may be used'))
  else if (name !== undefined) {
    if (name === '') errors.push(requiredValue(`${field}.name`, 'must be a valid object name'))
    addAll(
      errors,
      checkBundleName(name).map(text =>
        invalidValue(`${field}.name`, name, `not a valid clustertrustbundlename: ${text}`),
      ),
    )
    if (labelSelector)
      errors.push(
        invalidValue(`${field}.labelSelector`, labelSelector, 'labelSelector must be unset if name is specified'),
      )
  } else if (signerName === undefined) errors.push(requiredValue(field, 'either name or signerName must be specified'))
  else {
    if (signerName === '') errors.push(requiredValue(`${field}.signerName`, 'must be a valid signer name'))
    addAll(errors, validateSignerName(signerName, `${field}.signerName`))
    addAll(errors, validateLabelSelector(labelSelector, `${field}.labelSelector`, { checksValues: true }))
  }
  if (path === '') errors.push(requiredValue(`${field}.path`))
  return [...errors, ...checkLocalNonReservedPath(path, `${field}.path`)]
}

const keyTypes = ['RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519']
const certificatePaths = ['credentialBundlePath', 'keyPath', 'certificateChainPath'] as const
const minCertificateSeconds = 3600
const daySeconds = 24 * 3600
const maxCertificateSeconds = { own: daySeconds, others: 91 * daySeconds }
function validateCertificate(
  certificate: PodCertificateProjection,
  field: string,
  { ownDomain }: ProjectionLimits,
): FieldError[] {
  const { signerName = '', keyType = '', maxExpirationSeconds: seconds, userAnnotations = {} } = certificate
  const errors: FieldError[] = [
    ...validateSignerName(signerName, `${field}.signerName`),
    ...validateUserAnnotations(userAnnotations, `${field}.userAnnotations`),
  ]
  if (!keyTypes.includes(keyType)) errors.push(notSupported(`${field}.keyType`, keyType, keyTypes))
  const at = `${field}.maxExpirationSeconds`
  if (seconds !== undefined && seconds < minCertificateSeconds)
    errors.push(invalidValue(at, seconds, `if provided, maxExpirationSeconds must be >= ${minCertificateSeconds}`))
  const maxSeconds = isSignerOf(ownDomain, signerName) ? maxCertificateSeconds.own : maxCertificateSeconds.others
  if (seconds !== undefined && seconds > maxSeconds)
    errors.push(invalidValue(at, seconds, `if provided, maxExpirationSeconds must be <= ${maxSeconds}`))
  const given = certificatePaths.filter(name => (certificate[name] ?? '') !== '')
  for (const name of given) addAll(errors, checkLocalNonReservedPath(certificate[name] ?? '', `${field}.${name}`))
  if (given.length === 0)
    errors.push(requiredValue(field, 'specify at least one of credentialBundlePath, keyPath, and certificateChainPath'))
  return errors
}

type ProjectionLimits = HostAddressRules & Pick<VolumeLimits, 'isLenient' | 'ownDomain' | 'takesAnyTokenPath'>
type Projections = Required<VolumeProjection>
const pathsOf = (items: readonly { readonly path: string }[] = []): string[] =>
  items.map(({ path }) => path).filter(path => path !== '')

/** For every kind of projection: what is wrong with it, and the paths that it fills. */
const projections: {
  [K in keyof Projections]: (of: Projections[K], field: string, limits: ProjectionLimits) => [FieldError[], string[]]
} = {
  secret: (source, field) => [
    [...requireFields(source, field, 'name'), ...validateKeyPaths(source.items, field)],
    pathsOf(source.items),
  ],
  configMap: (source, field) => [
    [...requireFields(source, field, 'name'), ...validateKeyPaths(source.items, field)],
    pathsOf(source.items),
  ],
  downwardAPI: (source, field, limits) => [
    (source.items ?? []).flatMap(file => validateDownwardFile(file, field, limits)),
    pathsOf(source.items),
  ],
  serviceAccountToken: (source, field) => [validateToken(source, field), []],
  // Kubernetes compares empty paths of this kind, too.
  clusterTrustBundle: (source, field) => [validateTrustBundle(source, field), [source.path]],
  podCertificate: (source, field, limits) => [
    validateCertificate(source, field, limits),
    certificatePaths.map(name => source[name] ?? '').filter(path => path !== ''),
  ],
}

/** Several sources in one folder: each has one kind, and no two items fill the same path. */
export function validateProjected(
  { sources, defaultMode }: ProjectedVolumeSource,
  field: string,
  limits: ProjectionLimits,
): FieldError[] {
  const { isLenient, takesAnyTokenPath } = limits
  const errors = checkFileMode(defaultMode, `${field}.defaultMode`)
  const taken = new Set<string>()
  for (const [i, source] of (sources ?? []).entries()) {
    const at = `${field}.sources[${i}]`
    const kinds = (Object.keys(projections) as (keyof Projections)[]).filter(kind => source[kind] !== undefined)
    for (const kind of kinds) {
      const check = projections[kind] as (
        of: unknown,
        field: string,
        limits: ProjectionLimits,
      ) => [FieldError[], string[]]
      const [wrong, paths] = check(source[kind], `${at}.${kind}`, limits)
      addAll(errors, wrong)
      for (const path of paths) {
        if (taken.has(path)) errors.push(invalidValue(field, path, 'conflicting duplicate paths'))
        taken.add(path)
      }
    }
    // Kubernetes reports these at the volume.
    const tokenPath = source.serviceAccountToken?.path
    if (tokenPath === '') errors.push(requiredValue(`${field}.path`))
    else if (tokenPath !== undefined && !takesAnyTokenPath)
      addAll(errors, checkLocalNonReservedPath(tokenPath, `${field}.path`))
    if (kinds.length > 1) errors.push(forbiddenField(at, 'may not specify more than 1 volume type'))
    // A source may have lost what a gate drops, so Kubernetes accepts it.
    if (kinds.length === 0 && !isLenient) errors.push(requiredValue(at, 'must specify at least 1 volume type'))
  }
  return errors
}

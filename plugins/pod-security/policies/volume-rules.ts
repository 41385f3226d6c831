import { type FieldError, invalidValue } from 'orch/sdk'
import type { PodSpec, Volume } from 'orch/sdk/core'
import type { PodSecurityNames } from '../names.js'
import type { PolicySpec } from './policy.js'

/** Volume sources whose names in policies differ from those in Pods. */
const otherNames: Readonly<Record<string, string>> = { cephfs: 'cephFS', storageos: 'storageOS' }

export function checkVolumes(spec: PodSpec, policy: PolicySpec, names: PodSecurityNames): FieldError[] {
  const mounts = new WritableMounts(spec)
  return (spec.volumes ?? []).flatMap((volume, i) => {
    const field = `spec.volumes[${i}]`
    const kind = kindOf(volume)
    if (!isAllowed(volume, kind, policy.volumes ?? [], names))
      return [invalidValue(field, kind, `${kind} volumes are not allowed to be used`)]
    if (volume.hostPath) return checkHostPath(volume.name, volume.hostPath.path, policy, field, mounts)
    if (volume.flexVolume) {
      const drivers = (policy.allowedFlexVolumes ?? []).map(({ driver }) => driver)
      return checkDriver(volume.flexVolume.driver, drivers, 'Flexvolume driver', field)
    }
    if (volume.csi) {
      const drivers = (policy.allowedCSIDrivers ?? []).map(({ name }) => name)
      return checkDriver(volume.csi.driver, drivers, 'Inline CSI driver', field)
    }
    return []
  })
}

function kindOf({ name: _, ...sources }: Volume): string {
  const [source = ''] = Object.entries(sources).find(([, value]) => value !== undefined) ?? []
  return otherNames[source] ?? source
}

function isAllowed(volume: Volume, kind: string, allowed: readonly string[], names: PodSecurityNames): boolean {
  if (allowed.includes('*') || allowed.includes(kind)) return true
  // Tokens used to be Secrets: a policy that allows Secrets allows the projected volumes that replaced them.
  return allowed.includes('secret') && volume.projected !== undefined && isTokenVolume(volume, names)
}

/** The volume with token, CA and namespace that every Pod gets. */
const isTokenVolume = ({ projected }: Volume, { rootCaConfigMap }: PodSecurityNames): boolean =>
  (projected?.sources ?? []).every(({ serviceAccountToken: token, configMap, downwardAPI, secret }) => {
    if (secret || !(token || configMap || downwardAPI)) return false
    if (token && (token.path !== 'token' || token.audience)) return false
    if (configMap && configMap.name !== rootCaConfigMap) return false
    return (downwardAPI?.items ?? []).every(
      ({ path, fieldRef }) => path === 'namespace' && fieldRef?.fieldPath === 'metadata.namespace',
    )
  })

function checkDriver(
  driver: string,
  allowed: readonly (string | undefined)[],
  title: string,
  field: string,
): FieldError[] {
  return allowed.length === 0 || allowed.includes(driver)
    ? []
    : [invalidValue(`${field}.driver`, driver, `${title} is not allowed to be used`)]
}

function checkHostPath(
  volumeName: string,
  path: string,
  { allowedHostPaths = [] }: PolicySpec,
  field: string,
  mounts: WritableMounts,
): FieldError[] {
  if (allowedHostPaths.length === 0) return []
  const matching = allowedHostPaths.filter(({ pathPrefix = '' }) => isBelow(path, pathPrefix))
  if (matching.length === 0) return [invalidValue(`${field}.hostPath.pathPrefix`, path, 'is not allowed to be used')]
  if (matching.some(({ readOnly }) => !readOnly)) return []
  return mounts.of(volumeName).map(at => invalidValue(`${at}.readOnly`, false, 'must be read-only'))
}

/** The writable mounts of volumes. Computed once, and only if a policy needs them: a Pod may have thousands. */
class WritableMounts {
  readonly #spec: PodSpec
  #byVolume: Map<string, string[]> | undefined
  constructor(spec: PodSpec) {
    this.#spec = spec
  }
  of(volumeName: string): readonly string[] {
    this.#byVolume ??= this.#find()
    return this.#byVolume.get(volumeName) ?? []
  }
  #find(): Map<string, string[]> {
    const found = new Map<string, string[]>()
    for (const list of ['initContainers', 'containers', 'ephemeralContainers'] as const)
      for (const [i, { volumeMounts = [] }] of (this.#spec[list] ?? []).entries())
        for (const [j, { name, readOnly }] of volumeMounts.entries()) {
          if (readOnly) continue
          const fields = found.get(name) ?? []
          fields.push(`spec.${list}[${i}].volumeMounts[${j}]`)
          found.set(name, fields)
        }
    return found
  }
}

/** Compares whole path segments: `/foo/bar` is below `/foo`, `/foobar` is not. */
function isBelow(path: string, prefix: string): boolean {
  const parts = (text: string) => text.split('/').filter(part => part !== '')
  const inside = parts(path)
  return parts(prefix).every((part, i) => inside[i] === part)
}

import type { ObjectMeta, SELinuxOptions } from 'orch/sdk'

export interface IdRange {
  readonly min: number
  readonly max: number
}
/** `RunAsAny`, `MustRunAs` or `MayRunAs` one of the ranges; users also `MustRunAsNonRoot`. */
export interface IdRule {
  readonly rule?: string
  readonly ranges?: readonly IdRange[]
}

/** What this plugin reads of a PodSecurityPolicy. The plugin `workloads` serves and validates it. */
export interface PolicySpec {
  readonly privileged?: boolean
  readonly defaultAddCapabilities?: readonly string[]
  readonly requiredDropCapabilities?: readonly string[]
  readonly allowedCapabilities?: readonly string[]
  readonly volumes?: readonly string[]
  readonly hostNetwork?: boolean
  readonly hostPorts?: readonly IdRange[]
  readonly hostPID?: boolean
  readonly hostIPC?: boolean
  readonly seLinux?: { readonly rule?: string; readonly seLinuxOptions?: SELinuxOptions }
  readonly runAsUser?: IdRule
  readonly runAsGroup?: IdRule
  readonly supplementalGroups?: IdRule
  readonly fsGroup?: IdRule
  readonly readOnlyRootFilesystem?: boolean
  readonly defaultAllowPrivilegeEscalation?: boolean
  readonly allowPrivilegeEscalation?: boolean
  readonly allowedHostPaths?: readonly { readonly pathPrefix?: string; readonly readOnly?: boolean }[]
  readonly allowedFlexVolumes?: readonly { readonly driver?: string }[]
  readonly allowedCSIDrivers?: readonly { readonly name?: string }[]
  readonly allowedUnsafeSysctls?: readonly string[]
  readonly forbiddenSysctls?: readonly string[]
  readonly allowedProcMountTypes?: readonly string[]
  readonly runtimeClass?: {
    readonly allowedRuntimeClassNames?: readonly string[]
    readonly defaultRuntimeClassName?: string
  }
}
export interface PodSecurityPolicy {
  readonly metadata?: ObjectMeta
  readonly spec?: PolicySpec
}
export const policyCollection = { group: 'policy', resource: 'podsecuritypolicies' }

/** A rule that binds ids must say to what. One that does not lets nobody in. */
export function isUsable({ spec = {} }: PodSecurityPolicy): boolean {
  const isBound = (rule: IdRule | undefined) =>
    !['MustRunAs', 'MayRunAs'].includes(rule?.rule ?? '') || (rule?.ranges ?? []).length > 0
  const { seLinux } = spec
  return (
    [spec.runAsUser, spec.runAsGroup, spec.supplementalGroups, spec.fsGroup].every(isBound) &&
    (seLinux?.rule !== 'MustRunAs' || seLinux.seLinuxOptions !== undefined)
  )
}

import {
  embedded,
  Flag,
  field,
  Int32,
  Int64,
  Kind,
  kept,
  ListOf,
  needed,
  SELinuxOptions,
  type Static,
  Struct,
  Text,
} from 'orch/sdk'

export const AllowedCSIDriver = Struct('policy.v1beta1.AllowedCSIDriver', {
  name: needed(1, Text()),
})
export type AllowedCSIDriver = Static<typeof AllowedCSIDriver>

export const AllowedFlexVolume = Struct('policy.v1beta1.AllowedFlexVolume', {
  driver: needed(1, Text()),
})
export type AllowedFlexVolume = Static<typeof AllowedFlexVolume>

export const AllowedHostPath = Struct('policy.v1beta1.AllowedHostPath', {
  pathPrefix: field(1, Text()),
  readOnly: field(2, Flag()),
})
export type AllowedHostPath = Static<typeof AllowedHostPath>

export const IDRange = Struct('policy.v1beta1.IDRange', {
  min: needed(1, Int64()),
  max: needed(2, Int64()),
})
export type IDRange = Static<typeof IDRange>

export const FSGroupStrategyOptions = Struct('policy.v1beta1.FSGroupStrategyOptions', {
  rule: field(1, Text()),
  ranges: field(2, ListOf(IDRange)),
})
export type FSGroupStrategyOptions = Static<typeof FSGroupStrategyOptions>

export const HostPortRange = Struct('policy.v1beta1.HostPortRange', {
  min: needed(1, Int32()),
  max: needed(2, Int32()),
})
export type HostPortRange = Static<typeof HostPortRange>

export const RunAsGroupStrategyOptions = Struct('policy.v1beta1.RunAsGroupStrategyOptions', {
  rule: needed(1, Text()),
  ranges: field(2, ListOf(IDRange)),
})
export type RunAsGroupStrategyOptions = Static<typeof RunAsGroupStrategyOptions>

export const RunAsUserStrategyOptions = Struct('policy.v1beta1.RunAsUserStrategyOptions', {
  rule: needed(1, Text()),
  ranges: field(2, ListOf(IDRange)),
})
export type RunAsUserStrategyOptions = Static<typeof RunAsUserStrategyOptions>

export const RuntimeClassStrategyOptions = Struct('policy.v1beta1.RuntimeClassStrategyOptions', {
  allowedRuntimeClassNames: needed(1, ListOf(Text())),
  defaultRuntimeClassName: kept(2, Text()),
})
export type RuntimeClassStrategyOptions = Static<typeof RuntimeClassStrategyOptions>

export const SELinuxStrategyOptions = Struct('policy.v1beta1.SELinuxStrategyOptions', {
  rule: needed(1, Text()),
  seLinuxOptions: kept(2, SELinuxOptions),
})
export type SELinuxStrategyOptions = Static<typeof SELinuxStrategyOptions>

export const SupplementalGroupsStrategyOptions = Struct('policy.v1beta1.SupplementalGroupsStrategyOptions', {
  rule: field(1, Text()),
  ranges: field(2, ListOf(IDRange)),
})
export type SupplementalGroupsStrategyOptions = Static<typeof SupplementalGroupsStrategyOptions>

export const PodSecurityPolicySpec = Struct('policy.v1beta1.PodSecurityPolicySpec', {
  privileged: field(1, Flag()),
  defaultAddCapabilities: field(2, ListOf(Text())),
  requiredDropCapabilities: field(3, ListOf(Text())),
  allowedCapabilities: field(4, ListOf(Text())),
  volumes: field(5, ListOf(Text())),
  hostNetwork: field(6, Flag()),
  hostPorts: field(7, ListOf(HostPortRange)),
  hostPID: field(8, Flag()),
  hostIPC: field(9, Flag()),
  seLinux: needed(10, SELinuxStrategyOptions),
  runAsUser: needed(11, RunAsUserStrategyOptions),
  runAsGroup: kept(22, RunAsGroupStrategyOptions),
  supplementalGroups: needed(12, SupplementalGroupsStrategyOptions),
  fsGroup: needed(13, FSGroupStrategyOptions),
  readOnlyRootFilesystem: field(14, Flag()),
  defaultAllowPrivilegeEscalation: kept(15, Flag()),
  allowPrivilegeEscalation: kept(16, Flag(), { default: true }),
  allowedHostPaths: field(17, ListOf(AllowedHostPath)),
  allowedFlexVolumes: field(18, ListOf(AllowedFlexVolume)),
  allowedCSIDrivers: field(23, ListOf(AllowedCSIDriver)),
  allowedUnsafeSysctls: field(19, ListOf(Text())),
  forbiddenSysctls: field(20, ListOf(Text())),
  allowedProcMountTypes: field(21, ListOf(Text())),
  runtimeClass: kept(24, RuntimeClassStrategyOptions),
})
export type PodSecurityPolicySpec = Static<typeof PodSecurityPolicySpec>

export const PodSecurityPolicy = Kind('policy.v1beta1.PodSecurityPolicy', {
  spec: embedded(2, PodSecurityPolicySpec),
})
export type PodSecurityPolicy = Static<typeof PodSecurityPolicy>

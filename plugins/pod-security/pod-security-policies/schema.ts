import { Bool, embedded, field, Int32, Int64, Kind, kept, ListOf, required, type Static, Struct, Text } from 'orch/sdk'
import { SELinuxOptions } from 'orch/sdk/core'

/** Rules about groups. */
export const groupRules: readonly string[] = ['MayRunAs', 'MustRunAs', 'RunAsAny']
const userRules: readonly string[] = ['MustRunAs', 'MustRunAsNonRoot', 'RunAsAny']
const labelRules: readonly string[] = ['MustRunAs', 'RunAsAny']

export const AllowedCSIDriver = Struct(
  'policy.v1beta1.AllowedCSIDriver',
  {
    name: required(1, Text(), 'Name of the driver.'),
  },
  { description: 'A storage driver that inline volumes may use.' },
)
export type AllowedCSIDriver = Static<typeof AllowedCSIDriver>

export const AllowedFlexVolume = Struct(
  'policy.v1beta1.AllowedFlexVolume',
  {
    driver: required(1, Text(), 'Name of the driver.'),
  },
  { description: 'A flex volume driver that may be used.' },
)
export type AllowedFlexVolume = Static<typeof AllowedFlexVolume>

export const AllowedHostPath = Struct(
  'policy.v1beta1.AllowedHostPath',
  {
    pathPrefix: field(1, Text(), 'The path; everything below it is allowed too.'),
    readOnly: field(2, Bool(), 'Whether it may only be mounted read-only.'),
  },
  { description: 'A path of the host that may be mounted.' },
)
export type AllowedHostPath = Static<typeof AllowedHostPath>

export const IDRange = Struct(
  'policy.v1beta1.IDRange',
  {
    min: required(1, Int64(), 'The first.'),
    max: required(2, Int64(), 'The last.'),
  },
  { description: 'A range of ids, ends included.' },
)
export type IDRange = Static<typeof IDRange>

export const FSGroupStrategyOptions = Struct(
  'policy.v1beta1.FSGroupStrategyOptions',
  {
    rule: field(1, Text(), 'MayRunAs, MustRunAs or RunAsAny.'),
    ranges: field(2, ListOf(IDRange), 'The allowed ids.'),
  },
  { description: 'Which groups may own volumes.' },
)
export type FSGroupStrategyOptions = Static<typeof FSGroupStrategyOptions>

export const HostPortRange = Struct(
  'policy.v1beta1.HostPortRange',
  {
    min: required(1, Int32(), 'The first.'),
    max: required(2, Int32(), 'The last.'),
  },
  { description: 'A range of ports of the host, ends included.' },
)
export type HostPortRange = Static<typeof HostPortRange>

export const RunAsGroupStrategyOptions = Struct(
  'policy.v1beta1.RunAsGroupStrategyOptions',
  {
    rule: required(1, Text({ enum: groupRules }), 'MayRunAs, MustRunAs or RunAsAny.'),
    ranges: field(2, ListOf(IDRange), 'The allowed ids.'),
  },
  { description: 'Which groups containers may run as.' },
)
export type RunAsGroupStrategyOptions = Static<typeof RunAsGroupStrategyOptions>

export const RunAsUserStrategyOptions = Struct(
  'policy.v1beta1.RunAsUserStrategyOptions',
  {
    rule: required(1, Text({ enum: userRules }), 'MustRunAs, MustRunAsNonRoot or RunAsAny.'),
    ranges: field(2, ListOf(IDRange), 'The allowed ids.'),
  },
  { description: 'Which users containers may run as.' },
)
export type RunAsUserStrategyOptions = Static<typeof RunAsUserStrategyOptions>

export const RuntimeClassStrategyOptions = Struct(
  'policy.v1beta1.RuntimeClassStrategyOptions',
  {
    allowedRuntimeClassNames: required(1, ListOf(Text()), 'Names of classes; * means all.'),
    defaultRuntimeClassName: kept(2, Text(), 'Class of Pods that name none.'),
  },
  { description: 'Which runtime classes Pods may use.' },
)
export type RuntimeClassStrategyOptions = Static<typeof RuntimeClassStrategyOptions>

export const SELinuxStrategyOptions = Struct(
  'policy.v1beta1.SELinuxStrategyOptions',
  {
    rule: required(1, Text({ enum: labelRules }), 'MustRunAs or RunAsAny.'),
    seLinuxOptions: kept(2, SELinuxOptions, 'The label that they must have.'),
  },
  { description: 'Which SELinux labels containers may have.' },
)
export type SELinuxStrategyOptions = Static<typeof SELinuxStrategyOptions>

export const SupplementalGroupsStrategyOptions = Struct(
  'policy.v1beta1.SupplementalGroupsStrategyOptions',
  {
    rule: field(1, Text(), 'MayRunAs, MustRunAs or RunAsAny.'),
    ranges: field(2, ListOf(IDRange), 'The allowed ids.'),
  },
  { description: 'Which further groups Pods may have.' },
)
export type SupplementalGroupsStrategyOptions = Static<typeof SupplementalGroupsStrategyOptions>

export const PodSecurityPolicySpec = Struct(
  'policy.v1beta1.PodSecurityPolicySpec',
  {
    privileged: field(1, Bool(), 'Whether containers may be privileged.'),
    defaultAddCapabilities: field(2, ListOf(Text()), 'Capabilities that containers get without asking.'),
    requiredDropCapabilities: field(3, ListOf(Text()), 'Capabilities that containers must do without.'),
    allowedCapabilities: field(4, ListOf(Text()), 'Capabilities that containers may ask for; * means all.'),
    volumes: field(5, ListOf(Text()), 'Kinds of volumes that may be used; * means all.'),
    hostNetwork: field(6, Bool(), 'Whether Pods may use the network of the host.'),
    hostPorts: field(7, ListOf(HostPortRange), 'Ports of the host that may be used.'),
    hostPID: field(8, Bool(), 'Whether Pods may see the processes of the host.'),
    hostIPC: field(9, Bool(), 'Whether Pods may use the IPC of the host.'),
    seLinux: required(10, SELinuxStrategyOptions, 'Which SELinux labels containers may have.'),
    runAsUser: required(11, RunAsUserStrategyOptions, 'Which users containers may run as.'),
    runAsGroup: kept(22, RunAsGroupStrategyOptions, 'Which groups containers may run as.'),
    supplementalGroups: required(12, SupplementalGroupsStrategyOptions, 'Which further groups Pods may have.'),
    fsGroup: required(13, FSGroupStrategyOptions, 'Which groups may own volumes.'),
    readOnlyRootFilesystem: field(14, Bool(), 'Whether containers must have a read-only root file system.'),
    defaultAllowPrivilegeEscalation: kept(
      15,
      Bool(),
      'Whether processes may gain privileges when the container does not say.',
    ),
    allowPrivilegeEscalation: kept(16, Bool(), {
      description: 'Whether containers may let their processes gain privileges. True by default.',
      default: true,
    }),
    allowedHostPaths: field(17, ListOf(AllowedHostPath), 'Paths of the host that may be mounted. Empty means all.'),
    allowedFlexVolumes: field(18, ListOf(AllowedFlexVolume), 'Flex volume drivers that may be used. Empty means all.'),
    allowedCSIDrivers: field(
      23,
      ListOf(AllowedCSIDriver),
      'Storage drivers that inline volumes may use. Empty means all.',
    ),
    allowedUnsafeSysctls: field(
      19,
      ListOf(Text()),
      'Unsafe kernel parameters that may be set; * at the end stands for the rest.',
    ),
    forbiddenSysctls: field(
      20,
      ListOf(Text()),
      'Kernel parameters that may not be set; * at the end stands for the rest.',
    ),
    allowedProcMountTypes: field(21, ListOf(Text()), 'How /proc may be mounted. Only Default if empty.'),
    runtimeClass: kept(24, RuntimeClassStrategyOptions, 'Which runtime classes may be used.'),
  },
  { description: 'What Pods may do.' },
)
export type PodSecurityPolicySpec = Static<typeof PodSecurityPolicySpec>

export const PodSecurityPolicy = Kind(
  'policy.v1beta1.PodSecurityPolicy',
  {
    spec: embedded(2, PodSecurityPolicySpec, 'Desired state.'),
  },
  { description: 'What Pods may do. Deprecated.' },
)
export type PodSecurityPolicy = Static<typeof PodSecurityPolicy>

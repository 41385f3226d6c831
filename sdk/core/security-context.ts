import { Bool, field, Int64, kept, ListOf, required, type Static, Struct, Text } from '../resource/schema.js'

const seccompTypes: readonly string[] = ['Localhost', 'RuntimeDefault', 'Unconfined']
const procMounts: readonly string[] = ['Default', 'Unmasked']
const ownerPolicies: readonly string[] = ['Always', 'OnRootMismatch']
/** User and group ids are 31-bit numbers. */
const ids = { minimum: 0, maximum: 0x7fffffff } as const

/** The SELinux label of a process. */
export const SELinuxOptions = Struct(
  'core.v1.SELinuxOptions',
  {
    user: field(1, Text(), 'User of the label.'),
    role: field(2, Text(), 'Role of the label.'),
    type: field(3, Text(), 'Type of the label.'),
    level: field(4, Text(), 'Level of the label.'),
  },
  { description: 'An SELinux label.' },
)
export type SELinuxOptions = Static<typeof SELinuxOptions>

/** Which system calls a process may make. */
export const SeccompProfile = Struct(
  'core.v1.SeccompProfile',
  {
    type: required(1, Text({ minLength: 1, enum: seccompTypes }), 'Localhost, RuntimeDefault or Unconfined.'),
    localhostProfile: kept(2, Text(), 'File on the node with the profile, for type Localhost.'),
  },
  {
    description: 'Which system calls are allowed.',
    union: { discriminator: 'type', fields: { localhostProfile: 'LocalhostProfile' } },
  },
)
export type SeccompProfile = Static<typeof SeccompProfile>

/** Which AppArmor profile a process has. */
export const AppArmorProfile = Struct(
  'core.v1.AppArmorProfile',
  {
    type: required(1, Text(), 'Localhost, RuntimeDefault or Unconfined.'),
    localhostProfile: kept(2, Text(), 'Name of a profile that the node has loaded, for type Localhost.'),
  },
  {
    description: 'An AppArmor profile.',
    union: { discriminator: 'type', fields: { localhostProfile: 'LocalhostProfile' } },
  },
)
export type AppArmorProfile = Static<typeof AppArmorProfile>
const appArmorProfile = (proto: number) =>
  kept(proto, AppArmorProfile, { description: 'AppArmor profile.', since: '1.30', gate: 'AppArmorFields' })

/** Security settings that only Windows has. */
export const WindowsSecurityContextOptions = Struct(
  'core.v1.WindowsSecurityContextOptions',
  {
    gmsaCredentialSpecName: kept(1, Text(), 'Name of the GMSA credential specification.'),
    gmsaCredentialSpec: kept(2, Text(), 'The GMSA credential specification itself.'),
    runAsUserName: kept(3, Text(), 'User that the container runs as.'),
    hostProcess: kept(4, Bool(), 'Whether it runs as a process of the host. All containers of a Pod must agree.'),
  },
  { description: 'Settings for Windows.' },
)
export type WindowsSecurityContextOptions = Static<typeof WindowsSecurityContextOptions>

/** Linux capabilities to add to and to drop from a process. */
export const Capabilities = Struct(
  'core.v1.Capabilities',
  {
    add: field(1, ListOf(Text()), 'Capabilities that it gets.'),
    drop: field(2, ListOf(Text()), 'Capabilities that it loses.'),
  },
  { description: 'Capabilities that a container gets and loses.' },
)
export type Capabilities = Static<typeof Capabilities>

/** Security settings of one container. */
export const SecurityContext = Struct(
  'core.v1.SecurityContext',
  {
    capabilities: kept(1, Capabilities, 'Capabilities that it gets and loses.'),
    privileged: kept(2, Bool(), 'Whether it has the privileges of root on the host. False by default.'),
    seLinuxOptions: kept(3, SELinuxOptions, 'Its SELinux label.'),
    windowsOptions: kept(10, WindowsSecurityContextOptions, 'Settings for Windows.'),
    runAsUser: kept(4, Int64(ids), 'User that it runs as. That of the image by default.'),
    runAsGroup: kept(8, Int64(ids), 'Group that it runs as.'),
    runAsNonRoot: kept(5, Bool(), 'Whether it must not run as root.'),
    readOnlyRootFilesystem: kept(6, Bool(), 'Whether its root file system is read-only. False by default.'),
    allowPrivilegeEscalation: kept(7, Bool(), 'Whether its processes may gain privileges.'),
    procMount: kept(9, Text({ enum: procMounts }), 'How /proc is mounted: Default or Unmasked.'),
    seccompProfile: kept(11, SeccompProfile, 'Which system calls are allowed.'),
    appArmorProfile: appArmorProfile(12),
  },
  { description: 'Security settings of a container.' },
)
export type SecurityContext = Static<typeof SecurityContext>

/** A kernel parameter to set. */
export const Sysctl = Struct(
  'core.v1.Sysctl',
  {
    name: required(1, Text(), 'Name of the parameter.'),
    value: required(2, Text(), 'Its value.'),
  },
  { description: 'A parameter of the kernel.' },
)
export type Sysctl = Static<typeof Sysctl>

/** Security settings of all containers of a Pod. */
export const PodSecurityContext = Struct(
  'core.v1.PodSecurityContext',
  {
    seLinuxOptions: kept(1, SELinuxOptions, 'SELinux label of all containers.'),
    windowsOptions: kept(8, WindowsSecurityContextOptions, 'Settings for Windows.'),
    runAsUser: kept(2, Int64(ids), 'User that they run as. That of the image by default.'),
    runAsGroup: kept(6, Int64(ids), 'Group that they run as.'),
    runAsNonRoot: kept(3, Bool(), 'Whether they must not run as root.'),
    supplementalGroups: field(4, ListOf(Int64(ids)), 'Additional groups of their processes.'),
    supplementalGroupsPolicy: kept(12, Text(), {
      description: 'Whether the groups of the image are added: Merge (the default) or Strict.',
      since: '1.31',
      gate: 'SupplementalGroupsPolicy',
    }),
    fsGroup: kept(5, Int64(ids), 'Group that owns the volumes.'),
    sysctls: field(7, ListOf(Sysctl), 'Parameters of the kernel.'),
    fsGroupChangePolicy: kept(
      9,
      Text({ enum: ownerPolicies }),
      'When volumes change their owner: Always (the default) or OnRootMismatch.',
    ),
    seccompProfile: kept(10, SeccompProfile, 'Which system calls are allowed.'),
    appArmorProfile: appArmorProfile(11),
    seLinuxChangePolicy: kept(13, Text(), {
      description: 'How volumes get the SELinux label: MountOption (the default), or Recursive, file by file.',
      since: '1.32',
      gate: 'SELinuxChangePolicy',
    }),
  },
  { description: 'Security settings of all containers of a Pod.' },
)
export type PodSecurityContext = Static<typeof PodSecurityContext>

import { Flag, field, Int64, kept, ListOf, needed, type Static, Struct, Text } from '../schema.js'

/** The SELinux label of a process. */
export const SELinuxOptions = Struct('core.v1.SELinuxOptions', {
  user: field(1, Text()),
  role: field(2, Text()),
  type: field(3, Text()),
  level: field(4, Text()),
})
export type SELinuxOptions = Static<typeof SELinuxOptions>

/** Which system calls a process may make. */
export const SeccompProfile = Struct('core.v1.SeccompProfile', {
  type: needed(1, Text()),
  localhostProfile: kept(2, Text()),
})
export type SeccompProfile = Static<typeof SeccompProfile>

/** Security settings that only Windows has. */
export const WindowsSecurityContextOptions = Struct('core.v1.WindowsSecurityContextOptions', {
  gmsaCredentialSpecName: kept(1, Text()),
  gmsaCredentialSpec: kept(2, Text()),
  runAsUserName: kept(3, Text()),
  hostProcess: kept(4, Flag()),
})
export type WindowsSecurityContextOptions = Static<typeof WindowsSecurityContextOptions>

/** Linux capabilities to add to and to drop from a process. */
export const Capabilities = Struct('core.v1.Capabilities', {
  add: field(1, ListOf(Text())),
  drop: field(2, ListOf(Text())),
})
export type Capabilities = Static<typeof Capabilities>

/** Security settings of one container. */
export const SecurityContext = Struct('core.v1.SecurityContext', {
  capabilities: kept(1, Capabilities),
  privileged: kept(2, Flag()),
  seLinuxOptions: kept(3, SELinuxOptions),
  windowsOptions: kept(10, WindowsSecurityContextOptions),
  runAsUser: kept(4, Int64()),
  runAsGroup: kept(8, Int64()),
  runAsNonRoot: kept(5, Flag()),
  readOnlyRootFilesystem: kept(6, Flag()),
  allowPrivilegeEscalation: kept(7, Flag()),
  procMount: kept(9, Text()),
  seccompProfile: kept(11, SeccompProfile),
})
export type SecurityContext = Static<typeof SecurityContext>

/** A kernel parameter to set. */
export const Sysctl = Struct('core.v1.Sysctl', {
  name: needed(1, Text()),
  value: needed(2, Text()),
})
export type Sysctl = Static<typeof Sysctl>

/** Security settings of all containers of a Pod. */
export const PodSecurityContext = Struct('core.v1.PodSecurityContext', {
  seLinuxOptions: kept(1, SELinuxOptions),
  windowsOptions: kept(8, WindowsSecurityContextOptions),
  runAsUser: kept(2, Int64()),
  runAsGroup: kept(6, Int64()),
  runAsNonRoot: kept(3, Flag()),
  supplementalGroups: field(4, ListOf(Int64())),
  fsGroup: kept(5, Int64()),
  sysctls: field(7, ListOf(Sysctl)),
  fsGroupChangePolicy: kept(9, Text()),
  seccompProfile: kept(10, SeccompProfile),
})
export type PodSecurityContext = Static<typeof PodSecurityContext>

import type { Vendor } from 'orch/sdk'
import { checksChangedContainerSeccomp, checksChangedPodSeccomp, warnsAsItEnforces } from './differences.js'

/** What happens on a violation: a rejection, an audit annotation, a warning to the client. */
export const modes = ['enforce', 'audit', 'warn'] as const
export type Mode = (typeof modes)[number]

/** Every vendor-derived name of this plugin. */
export const podSecurityNames = (vendor: Vendor) => ({
  /** The newest version of the standards that is known: that of the server. */
  newestStandard: Number(vendor.level.version.split('.')[1]),
  /** Whether an enforced standard is also one to warn of. */
  warnsAsItEnforces: vendor.level.has(warnsAsItEnforces),
  /** Whether updates that change these annotations are checked. */
  checksPodSeccomp: vendor.level.has(checksChangedPodSeccomp),
  checksContainerSeccomp: vendor.level.has(checksChangedContainerSeccomp),
  /** Labels of a namespace that select the standard and its version. */
  levelLabel: (mode: Mode) => vendor.qualify(mode, 'pod-security'),
  versionLabel: (mode: Mode) => vendor.qualify(`${mode}-version`, 'pod-security'),
  /** Annotations of audit events. */
  auditAnnotation: (name: string) => vendor.qualify(name, 'pod-security'),
  /** Annotations of Pods that were profiles before there were fields. Those ending in `/` are followed by a container's name. */
  seccompPod: vendor.qualify('pod', 'seccomp.security.alpha'),
  seccompContainer: vendor.qualify('', 'container.seccomp.security.alpha'),
  appArmorContainer: vendor.qualify('', 'container.apparmor.security.beta'),
  /** Annotation of a Pod: the policy that admitted it. */
  admittedBy: vendor.qualify('psp'),
  /** Annotations of policies: profiles that Pods may have, and the one they get. */
  allowedSeccomp: vendor.qualify('allowedProfileNames', 'seccomp.security.alpha'),
  defaultSeccomp: vendor.qualify('defaultProfileName', 'seccomp.security.alpha'),
  allowedAppArmor: vendor.qualify('allowedProfileNames', 'apparmor.security.beta'),
  defaultAppArmor: vendor.qualify('defaultProfileName', 'apparmor.security.beta'),
  policyAuditAnnotation: (name: string) => `${vendor.group('podsecuritypolicy.policy')}/${name}`,
  /** Published in every namespace. */
  rootCaConfigMap: `${vendor.profile.objectPrefix}-root-ca.crt`,
  /** Policies used to be in this group, too: permissions there are still valid. */
  formerPolicyGroup: 'extensions',
  appsGroup: 'apps',
  batchGroup: 'batch',
  /** The versions and kind of the configuration of PodSecurity. */
  configurations: ['v1beta1', 'v1alpha1'].map(
    version => `${vendor.group('pod-security.admission.config')}/${version} PodSecurityConfiguration`,
  ),
})
export type PodSecurityNames = ReturnType<typeof podSecurityNames>

import type { Vendor } from 'orch/sdk'

/** Annotation keys of Pods that the API itself knows. Those ending in `/` are followed by the name of a container. */
export const podAnnotations = (vendor: Vendor) => ({
  mirror: vendor.qualify('config.mirror'),
  deletionCost: vendor.qualify('pod-deletion-cost', 'controller'),
  seccompPod: vendor.qualify('pod', 'seccomp.security.alpha'),
  seccompContainer: vendor.qualify('', 'container.seccomp.security.alpha'),
  /** Of earlier versions; they mean nothing any more. */
  criticalPod: vendor.qualify('critical-pod', 'scheduler.alpha'),
  sysctls: ['sysctls', 'unsafe-sysctls'].map(name => vendor.qualify(name, 'security.alpha')),
  appArmorContainer: vendor.qualify('', 'container.apparmor.security.beta'),
})

import type { Vendor } from '../../plugin/vendor.js'

/** Annotation keys of Pods that the API itself knows. Those ending in `/` are followed by the name of a container. */
export const podAnnotations = (vendor: Vendor) => ({
  mirror: vendor.qualify('config.mirror'),
  deletionCost: vendor.qualify('pod-deletion-cost', 'controller'),
  /** Tolerations as JSON. */
  tolerations: vendor.qualify('tolerations', 'scheduler.alpha'),
  seccompPod: vendor.qualify('pod', 'seccomp.security.alpha'),
  seccompContainer: vendor.qualify('', 'container.seccomp.security.alpha'),
  /** Of earlier versions; they no longer have an effect. */
  initContainers: ['pod.alpha', 'pod.beta'].flatMap(prefix =>
    ['init-containers', 'init-container-statuses'].map(name => vendor.qualify(name, prefix)),
  ),
  criticalPod: vendor.qualify('critical-pod', 'scheduler.alpha'),
  sysctls: ['sysctls', 'unsafe-sysctls'].map(name => vendor.qualify(name, 'security.alpha')),
  appArmorContainer: vendor.qualify('', 'container.apparmor.security.beta'),
})

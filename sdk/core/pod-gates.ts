import type { FeatureGate } from '../plugin/gates.js'

/** The gates of fields of Pods and templates of Pods. */
export const podGates = {
  AppArmorFields: { stage: 'stable', description: 'Security contexts have AppArmor profiles.' },
  ClusterTrustBundleProjection: { stage: 'beta', description: 'Trusted certificates as files of projected volumes.' },
  ContainerRestartRules: { stage: 'beta', description: 'Containers have restart policies and rules of their own.' },
  ContainerStopSignals: { stage: 'alpha', description: 'Containers can specify the signal that stops them.' },
  DRAExtendedResource: { stage: 'beta', description: 'Devices serve resources that containers request by name.' },
  DRANodeAllocatableResources: { stage: 'alpha', description: 'Claims take resources of the node.' },
  DynamicResourceAllocation: { stage: 'stable', description: 'Pods have claims of devices.' },
  EnvFiles: { stage: 'beta', description: 'Variables come from files in volumes.' },
  GenericWorkload: { stage: 'alpha', description: 'Pods are scheduled in groups.' },
  HostnameOverride: { stage: 'beta', description: 'Pods can override the host name that their programs see.' },
  ImageVolumeWithDigest: { stage: 'alpha', description: 'The status of a Pod has the digests of image volumes.' },
  InPlacePodLevelResourcesVerticalScaling: { stage: 'beta', description: 'Resources of whole Pods can be resized.' },
  InPlacePodVerticalScaling: { stage: 'stable', description: 'Resources of running containers can be resized.' },
  MatchLabelKeysInPodAffinity: { stage: 'stable', description: 'Affinity terms have matchLabelKeys.' },
  MatchLabelKeysInPodTopologySpread: { stage: 'beta', description: 'Topology spread constraints have matchLabelKeys.' },
  MinDomainsInPodTopologySpread: { stage: 'stable', description: 'Topology spread constraints have minDomains.' },
  NodeInclusionPolicyInPodTopologySpread: {
    stage: 'stable',
    description: 'Topology spread constraints can specify which nodes are counted.',
  },
  PodCertificateRequest: { stage: 'beta', description: 'Certificates of Pods as files of projected volumes.' },
  PodHostIPs: { stage: 'stable', description: 'The status of a Pod has all addresses of its node.' },
  PodLevelResources: { stage: 'beta', description: 'Pods have requests and limits of their own.' },
  PodLifecycleSleepAction: { stage: 'stable', description: 'Lifecycle handlers may sleep.' },
  PodObservedGenerationTracking: {
    stage: 'stable',
    description: 'The status of a Pod has the generation that it was observed at.',
  },
  PodSchedulingReadiness: { stage: 'stable', description: 'Scheduling gates keep Pods from being scheduled.' },
  RecursiveReadOnlyMounts: { stage: 'stable', description: 'Read-only mounts may be recursive.' },
  ResourceHealthStatus: { stage: 'beta', description: 'The status of a Pod has the health of its devices.' },
  ResourceHealthStatusMessage: { stage: 'beta', description: 'The health of a device has a message.' },
  SELinuxChangePolicy: { stage: 'stable', description: 'Pods can specify how volumes get their SELinux label.' },
  SidecarContainers: { stage: 'stable', description: 'Init containers may run beside the others.' },
  SupplementalGroupsPolicy: {
    stage: 'stable',
    description: 'Pods can specify whether the groups of the image are used.',
  },
  UserNamespacesSupport: { stage: 'stable', description: 'Pods have user namespaces of their own.' },
} as const satisfies Readonly<Record<string, FeatureGate>>

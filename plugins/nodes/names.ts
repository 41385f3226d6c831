import type { Vendor } from 'orch/sdk'
import { isExtendedResource } from 'orch/sdk/core'
import {
  audiencesOfPods,
  keptClaimStatuses,
  keptOwners,
  mirrorPodsWithoutClaims,
  mirrorPodsWithoutDrivers,
  ownCertificates,
  reportedAllocations,
  tablesShowArchitectures,
} from './differences.js'
import { nodeLabelNames } from './node-label-names.js'

/** Every vendor-derived name of this plugin. */
export const nodeNames = (vendor: Vendor) => ({
  /** What NodeRestriction forbids at this version. */
  keepsOwners: vendor.level.has(keptOwners),
  keepsClaimStatuses: vendor.level.has(keptClaimStatuses),
  refusesClaims: vendor.level.has(mirrorPodsWithoutClaims),
  refusesDrivers: vendor.level.has(mirrorPodsWithoutDrivers),
  restrictsAudiences: vendor.level.has(audiencesOfPods),
  /** Whose certificates nodes request only for themselves. */
  restrictedSigners: vendor.level.has(ownCertificates)
    ? [vendor.signer('nodeAgentClient'), vendor.signer('nodeAgentServing')]
    : [],
  /** What NodeRestriction allows at this version. */
  reportsAllocations: vendor.level.has(reportedAllocations),
  tablesShowArchitectures: vendor.level.has(tablesShowArchitectures),
  coordinationGroup: vendor.group('coordination'),
  certificatesGroup: vendor.group('certificates'),
  nodeGroup: vendor.group('node'),
  schedulingGroup: vendor.group('scheduling'),
  /** Labels of this prefix name the roles of a node. */
  rolePrefix: vendor.qualify('', 'node-role'),
  /** The older form, with the role as value. */
  roleLabel: vendor.qualify('role'),
  /** Taints for problems of a node. */
  taints: {
    notReady: vendor.qualify('not-ready', 'node'),
    unreachable: vendor.qualify('unreachable', 'node'),
    memoryPressure: vendor.qualify('memory-pressure', 'node'),
  },
  /** Which labels a node may set on itself. */
  nodeLabels: nodeLabelNames(vendor),
  /** Marks the mirror of a static Pod of a node. */
  mirrorPodAnnotation: vendor.qualify('config.mirror'),
  hostnameLabel: vendor.qualify('hostname'),
  osLabel: vendor.qualify('os'),
  /** Labels of nodes that are copied to Pods. */
  topologyLabels: ['zone', 'region'].map(name => vendor.qualify(name, 'topology')),
  /** Keeps a PodGroup while it has running Pods. */
  podGroupFinalizer: `${vendor.group('scheduling')}/podgroup-protection`,
  batchGroup: 'batch',
  /** Extended resources, such as `example.com/gpu`. */
  isExtendedResource: (resourceName: string) => isExtendedResource(resourceName, vendor),
  /** Annotations of namespaces that constrain their Pods. */
  nodeSelectorAnnotation: vendor.qualify('node-selector', 'scheduler.alpha'),
  defaultTolerations: vendor.qualify('defaultTolerations', 'scheduler.alpha'),
  allowedTolerations: vendor.qualify('tolerationsWhitelist', 'scheduler.alpha'),
  /** The apiVersion and kind of the configuration of PodTolerationRestriction. */
  tolerationConfigurations: [`${vendor.group('podtolerationrestriction.admission')}/v1alpha1 Configuration`],
  /**
   * Whether a Pod may specify the overhead of its RuntimeClass. The reference allows it, the specification does not.
   */
  acceptsStatedOverhead: vendor.profile.acceptsWhatReferenceAccepts,
  storageGroup: vendor.group('storage'),
  resourceGroup: vendor.group('resource'),
  leaseNamespace: vendor.profile.namespaces.nodeLease,
})
export type NodeNames = ReturnType<typeof nodeNames>

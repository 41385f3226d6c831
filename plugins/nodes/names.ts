import type { Vendor } from 'orch/sdk'
import { isExtendedResource } from 'orch/sdk/core'
import { keptClaimStatuses, keptOwners, mirrorPodsWithoutClaims } from './differences.js'
import { nodeLabelNames } from './node-label-names.js'

/** Every name of this plugin that carries the vendor's. */
export const nodeNames = (vendor: Vendor) => ({
  /** What NodeRestriction forbids at this version. */
  keepsOwners: vendor.level.has(keptOwners),
  keepsClaimStatuses: vendor.level.has(keptClaimStatuses),
  refusesClaims: vendor.level.has(mirrorPodsWithoutClaims),
  coordinationGroup: vendor.group('coordination'),
  nodeGroup: vendor.group('node'),
  schedulingGroup: vendor.group('scheduling'),
  /** Labels of this prefix name the roles of a node. */
  rolePrefix: vendor.qualify('', 'node-role'),
  /** The older way to say it, with the role as value. */
  roleLabel: vendor.qualify('role'),
  /** Taints that say what is wrong with a node. */
  taints: {
    notReady: vendor.qualify('not-ready', 'node'),
    unreachable: vendor.qualify('unreachable', 'node'),
    memoryPressure: vendor.qualify('memory-pressure', 'node'),
  },
  /** Which labels a node may give itself. */
  nodeLabels: nodeLabelNames(vendor),
  /** Marks the copy of a Pod that a node runs on its own account. */
  mirrorPodAnnotation: vendor.qualify('config.mirror'),
  hostnameLabel: vendor.qualify('hostname'),
  osLabel: vendor.qualify('os'),
  /** Labels of nodes that Pods get as well. */
  topologyLabels: ['zone', 'region'].map(name => vendor.qualify(name, 'topology')),
  /** Keeps a group of Pods as long as it has Pods. */
  podGroupFinalizer: `${vendor.group('scheduling')}/podgroup-protection`,
  batchGroup: 'batch',
  /** Extended resources, such as `example.com/gpu`. */
  isExtendedResource: (resourceName: string) => isExtendedResource(resourceName, vendor),
  /** Annotations of namespaces that say where their Pods run. */
  nodeSelectorAnnotation: vendor.qualify('node-selector', 'scheduler.alpha'),
  defaultTolerations: vendor.qualify('defaultTolerations', 'scheduler.alpha'),
  allowedTolerations: vendor.qualify('tolerationsWhitelist', 'scheduler.alpha'),
  /** What the configuration of PodTolerationRestriction is called: group, version and kind. */
  tolerationConfigurations: [`${vendor.group('podtolerationrestriction.admission')}/v1alpha1 Configuration`],
  /** May a Pod state the overhead that its RuntimeClass has? The reference says yes, the specification no. */
  acceptsStatedOverhead: vendor.profile.acceptsWhatReferenceAccepts,
  storageGroup: vendor.group('storage'),
  resourceGroup: vendor.group('resource'),
  leaseNamespace: vendor.profile.namespaces.nodeLease,
})
export type NodeNames = ReturnType<typeof nodeNames>

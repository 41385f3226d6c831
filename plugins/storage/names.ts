import type { Vendor } from 'orch/sdk'
import { recordEvents } from 'orch/sdk/controllers'
import { missingDriverNames, publishSecretAtItsPath } from 'orch/sdk/core'
import {
  attachersAreCheckedOnce,
  csiSecretsAtTheirPath,
  csiSecretsMayBeDomains,
  nodeLabelsMayBecomeFinal,
} from './differences.js'

/** The final names of labels of nodes, by the names that they had at first. */
const finalNodeLabels = (vendor: Vendor): ReadonlyMap<string, string> =>
  new Map([
    [vendor.qualify('zone', 'failure-domain.beta'), vendor.qualify('zone', 'topology')],
    [vendor.qualify('region', 'failure-domain.beta'), vendor.qualify('region', 'topology')],
    [vendor.qualify('os', 'beta'), vendor.qualify('os')],
    [vendor.qualify('arch', 'beta'), vendor.qualify('arch')],
    [vendor.qualify('instance-type', 'beta'), vendor.qualify('instance-type', 'node')],
  ])

/** Every vendor-derived name of this plugin. */
export const storageNames = (vendor: Vendor) => ({
  group: vendor.group('storage'),
  /** The rule of loops that record events. */
  recordEvents: recordEvents(vendor),
  /** Group of the snapshots that a claim may be restored from. */
  snapshotGroup: vendor.group('snapshot.storage'),
  /** Finalizers that keep a claim and a volume while they are used. */
  claimProtection: vendor.qualify('pvc-protection'),
  volumeProtection: vendor.qualify('pv-protection'),
  classProtection: vendor.qualify('vac-protection'),
  /** The older way to name the class of a claim or a volume. */
  classAnnotation: vendor.qualify('storage-class', 'volume.beta'),
  mountOptionsAnnotation: vendor.qualify('mount-options', 'volume.beta'),
  /** Set to `true` on the class of claims that name none; the second is the older name. */
  defaultClassAnnotations: [
    vendor.qualify('is-default-class', 'storageclass'),
    vendor.qualify('is-default-class', 'storageclass.beta'),
  ],
  /** On a claim: it was bound, so a missing volume means that its data is lost. */
  bindCompleted: vendor.qualify('bind-completed', 'pv'),
  /** On a claim or a volume: its side of the binding was set by the control loop, not by a user. */
  boundByController: vendor.qualify('bound-by-controller', 'pv'),
  /** On a volume: the provisioner that created it and is to delete it. */
  provisionedBy: vendor.qualify('provisioned-by', 'pv'),
  /** On a claim: the provisioner of its volume; the second is the older name. */
  provisionerAnnotations: [
    vendor.qualify('storage-provisioner', 'volume'),
    vendor.qualify('storage-provisioner', 'volume.beta'),
  ],
  /** On a claim that waited for its first consumer: the node of that Pod. */
  selectedNode: vendor.qualify('selected-node', 'volume'),
  /** Provisioners with this prefix would be part of the server, which has none. */
  ownProvisionerPrefix: vendor.qualify(''),
  /** Labels for the location of a volume: the current names, then the older ones. */
  topologyLabels: [
    { zone: vendor.qualify('zone', 'topology'), region: vendor.qualify('region', 'topology') },
    { zone: vendor.qualify('zone', 'failure-domain.beta'), region: vendor.qualify('region', 'failure-domain.beta') },
  ],
  /** Labels in the node affinity of a volume that may change, and what they may become. */
  changeableNodeLabels: vendor.level.has(nodeLabelsMayBecomeFinal)
    ? finalNodeLabels(vendor)
    : new Map<string, string>(),
  /** Whether the Secret of the staging step requires a name and a namespace, too. The reference does not check it. */
  checksStageSecret: !vendor.profile.acceptsWhatReferenceAccepts,
  /** Whether a missing driver name is also reported as malformed. */
  missingNamesAreInvalid: !vendor.level.has(missingDriverNames),
  /** The field name in errors about the Secret for publishing on nodes. */
  publishSecretInErrors: vendor.level.has(publishSecretAtItsPath) ? 'nodePublishSecretRef' : 'nodePublishSecretRef ',
  /** Whether errors about malformed names of a CSI volume's Secret name the Secret, not the volume. */
  csiSecretsHaveTheirPath: vendor.level.has(csiSecretsAtTheirPath),
  csiSecretsMayBeDomains: vendor.level.has(csiSecretsMayBeDomains),
  attachersAreCheckedOnce: vendor.level.has(attachersAreCheckedOnce),
  /** Options in these domains are set by the node agent alone. */
  reservedDomains: [...new Set([vendor.profile.domain, vendor.profile.groupDomain])],
})
export type StorageNames = ReturnType<typeof storageNames>

/** Collections of other plugins that control loops follow. */
export const podCollection = { group: '', version: 'v1', resource: 'pods' } as const

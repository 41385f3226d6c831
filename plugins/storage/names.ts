import type { Vendor } from 'orch/sdk'
import { recordEvents } from 'orch/sdk/controllers'
import { attachersAreCheckedOnce, missingDriverNames, publishSecretAtItsPath } from './differences.js'

/** Every name of this plugin that carries the vendor's. */
export const storageNames = (vendor: Vendor) => ({
  group: vendor.group('storage'),
  /** The rule of loops that record events. */
  recordEvents: recordEvents(vendor),
  /** Group of the snapshots a claim may be filled from. */
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
  /** On a claim: it was bound, and losing its volume is a loss. */
  bindCompleted: vendor.qualify('bind-completed', 'pv'),
  /** On a claim or a volume: its half of the binding was made here, not by a user. */
  boundByController: vendor.qualify('bound-by-controller', 'pv'),
  /** On a volume: the provisioner that created it, and the one that deletes it. */
  provisionedBy: vendor.qualify('provisioned-by', 'pv'),
  /** On a claim: the provisioner of its volume; the second is the older name. */
  provisionerAnnotations: [
    vendor.qualify('storage-provisioner', 'volume'),
    vendor.qualify('storage-provisioner', 'volume.beta'),
  ],
  /** On a claim that waited for its first consumer: the node it was given to. */
  selectedNode: vendor.qualify('selected-node', 'volume'),
  /** Provisioners of the vendor's own are part of the server, and there are none. */
  ownProvisionerPrefix: vendor.qualify(''),
  /** Where a volume is. The first pair counts, the second is the older name. */
  topologyLabels: [
    { zone: vendor.qualify('zone', 'topology'), region: vendor.qualify('region', 'topology') },
    { zone: vendor.qualify('zone', 'failure-domain.beta'), region: vendor.qualify('region', 'failure-domain.beta') },
  ],
  /** Need the Secrets of all steps a name and a namespace? The reference does not look at that of the staging step. */
  checksStageSecret: !vendor.profile.acceptsWhatReferenceAccepts,
  /** Does the name of a driver that is missing count as malformed, too? */
  missingNamesAreInvalid: !vendor.level.has(missingDriverNames),
  /** How errors name the Secret for publishing on nodes. */
  publishSecretInErrors: vendor.level.has(publishSecretAtItsPath) ? 'nodePublishSecretRef' : 'nodePublishSecretRef ',
  attachersAreCheckedOnce: vendor.level.has(attachersAreCheckedOnce),
  /** Options in these domains are set by the node agent alone. */
  reservedDomains: [...new Set([vendor.profile.domain, vendor.profile.groupDomain])],
})
export type StorageNames = ReturnType<typeof storageNames>

/** Collections of other plugins that control loops follow. */
export const podCollection = { group: '', version: 'v1', resource: 'pods' } as const

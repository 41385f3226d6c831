import type { ObjectMeta, Vendor } from 'orch/sdk'
import type { PersistentVolumeClaimSpec, PersistentVolumeSpec } from 'orch/sdk/core'

/** The parts of the storage types that a provisioner reads and writes. */
interface Named {
  readonly apiVersion?: string
  readonly kind?: string
  readonly metadata: ObjectMeta
}
export interface Claim extends Named {
  readonly spec: PersistentVolumeClaimSpec
  readonly status?: {
    readonly phase?: string
    readonly capacity?: Record<string, string>
    readonly conditions?: readonly {
      readonly type: string
      readonly status: string
      readonly [more: string]: unknown
    }[]
  }
}
export interface Volume extends Named {
  readonly spec: PersistentVolumeSpec
  readonly status?: { readonly phase?: string }
}
export interface StorageClass extends Named {
  readonly provisioner: string
  readonly reclaimPolicy?: string
  readonly mountOptions?: string[]
  readonly allowVolumeExpansion?: boolean
  readonly volumeBindingMode?: string
}

/** Collections and names that depend on the vendor. */
export const namesFor = (vendor: Vendor) => ({
  claims: { group: '', version: 'v1', resource: 'persistentvolumeclaims' },
  volumes: { group: '', version: 'v1', resource: 'persistentvolumes' },
  classes: { group: vendor.group('storage'), version: 'v1', resource: 'storageclasses' },
  /** On a claim: the provisioner of its volume, and the selected node. */
  provisioner: vendor.qualify('storage-provisioner', 'volume'),
  selectedNode: vendor.qualify('selected-node', 'volume'),
  /** On a volume: its provisioner. */
  provisionedBy: vendor.qualify('provisioned-by', 'pv'),
  /** On a node: its name. */
  hostname: vendor.qualify('hostname'),
})
export type Names = ReturnType<typeof namesFor>

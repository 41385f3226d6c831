/** The type is in the sdk, because templates of other types contain claims. */
export { claimCollection, PersistentVolumeClaim, type PersistentVolumeClaimStatus } from 'orch/sdk/core'

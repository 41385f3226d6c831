import {
  Flag,
  field,
  Kind,
  kept,
  ListOf,
  LocalObjectReference,
  type ObjectMeta,
  type ObjectOf,
  ObjectReference,
} from 'orch/sdk'

export const ServiceAccount = Kind('core.v1.ServiceAccount', {
  secrets: field(2, ListOf(ObjectReference, { patchStrategy: 'merge', patchMergeKey: 'name' })),
  imagePullSecrets: field(3, ListOf(LocalObjectReference)),
  automountServiceAccountToken: kept(4, Flag()),
})
export type ServiceAccount = ObjectOf<typeof ServiceAccount>
/** An account as the API and the caches return it. */
export type StoredServiceAccount = ServiceAccount & { metadata: ObjectMeta }

import { Flag, field, Kind, kept, ListOf, LocalObjectReference, ObjectReference, type Static } from 'orch/sdk'

export const ServiceAccount = Kind('core.v1.ServiceAccount', {
  secrets: field(2, ListOf(ObjectReference, { patchStrategy: 'merge', patchMergeKey: 'name' })),
  imagePullSecrets: field(3, ListOf(LocalObjectReference)),
  automountServiceAccountToken: kept(4, Flag()),
})
export type ServiceAccount = Static<typeof ServiceAccount>

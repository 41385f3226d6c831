import { Flag, field, Int64, Kind, kept, ListOf, type ObjectOf, Struct, Text } from 'orch/sdk'

const Preconditions = Struct('meta.v1.Preconditions', {
  uid: kept(1, Text()),
  resourceVersion: kept(2, Text()),
})
const DeleteOptions = Struct('meta.v1.DeleteOptions', {
  gracePeriodSeconds: kept(1, Int64()),
  preconditions: kept(2, Preconditions),
  orphanDependents: kept(3, Flag()),
  propagationPolicy: kept(4, Text()),
  dryRun: field(5, ListOf(Text())),
})

/** Asks for a Pod to go, unless too few of its kind would be left. */
export const Eviction = Kind('policy.v1.Eviction', { deleteOptions: kept(2, DeleteOptions) })
export type Eviction = ObjectOf<typeof Eviction>

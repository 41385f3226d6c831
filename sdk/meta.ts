import {
  embedded,
  Flag,
  field,
  Int64,
  kept,
  ListOf,
  needed,
  Raw,
  type Static,
  StringMap,
  Struct,
  Text,
  Time,
  type TSchema,
} from './schema.js'

/** The metadata types shared by every resource. */
export const OwnerReference = Struct(
  'meta.v1.OwnerReference',
  {
    apiVersion: needed(5, Text()),
    kind: needed(1, Text()),
    name: needed(3, Text()),
    uid: needed(4, Text()),
    controller: kept(6, Flag()),
    blockOwnerDeletion: kept(7, Flag()),
  },
  { mapType: 'atomic' },
)
export type OwnerReference = Static<typeof OwnerReference>

/** Who owns which fields, by which operation, since when. */
export const ManagedFieldsEntry = Struct('meta.v1.ManagedFieldsEntry', {
  manager: field(1, Text()),
  operation: field(2, Text()),
  apiVersion: field(3, Text()),
  time: kept(4, Time()),
  fieldsType: field(6, Text()),
  fieldsV1: kept(7, Raw('meta.v1.FieldsV1')),
  subresource: field(8, Text()),
})
export type ManagedFieldsEntry = Static<typeof ManagedFieldsEntry>

/** What every object has: name, labels, owners, versions. */
export const ObjectMeta = Struct('meta.v1.ObjectMeta', {
  name: field(1, Text()),
  generateName: field(2, Text()),
  namespace: field(3, Text()),
  selfLink: field(4, Text()),
  uid: field(5, Text()),
  resourceVersion: field(6, Text()),
  generation: field(7, Int64()),
  creationTimestamp: embedded(8, Time()),
  deletionTimestamp: kept(9, Time()),
  deletionGracePeriodSeconds: kept(10, Int64()),
  labels: field(11, StringMap()),
  annotations: field(12, StringMap()),
  ownerReferences: field(13, ListOf(OwnerReference, { patchStrategy: 'merge', patchMergeKey: 'uid' })),
  finalizers: field(14, ListOf(Text(), { patchStrategy: 'merge' })),
  clusterName: field(15, Text()),
  managedFields: field(17, ListOf(ManagedFieldsEntry)),
})
export type ObjectMeta = Static<typeof ObjectMeta>

/** The least that every stored object has. */
export interface ApiObject {
  apiVersion?: string
  kind?: string
  metadata: ObjectMeta
  [field: string]: unknown
}

/** The fields of a top-level kind: its metadata plus the given ones. `apiVersion` and `kind` are understood. */
export const Kind = <P extends Record<string, TSchema>>(name: string, fields: P) =>
  Struct(name, { metadata: embedded(1, ObjectMeta), ...fields })

/** A condition on one label: `In`, `NotIn`, `Exists` or `DoesNotExist`. */
export const LabelSelectorRequirement = Struct('meta.v1.LabelSelectorRequirement', {
  key: needed(1, Text(), { patchStrategy: 'merge', patchMergeKey: 'key' }),
  operator: needed(2, Text()),
  values: field(3, ListOf(Text())),
})
/** Which objects are meant, by their labels. All conditions must hold; none selects everything. */
export const LabelSelector = Struct(
  'meta.v1.LabelSelector',
  { matchLabels: field(1, StringMap()), matchExpressions: field(2, ListOf(LabelSelectorRequirement)) },
  { mapType: 'atomic' },
)
export type LabelSelector = Static<typeof LabelSelector>

/** One thing that is true, false or unknown about an object, since when and why. */
export const Condition = Struct('meta.v1.Condition', {
  type: needed(1, Text()),
  status: needed(2, Text()),
  observedGeneration: field(3, Int64()),
  lastTransitionTime: needed(4, Time()),
  reason: needed(5, Text()),
  message: needed(6, Text()),
})
export type Condition = Static<typeof Condition>

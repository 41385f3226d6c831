import {
  Bool,
  embedded,
  field,
  Int64,
  kept,
  ListOf,
  Raw,
  required,
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
    apiVersion: required(5, Text(), 'API version of the owner.'),
    kind: required(1, Text(), 'Kind of the owner.'),
    name: required(3, Text(), 'Name of the owner.'),
    uid: required(4, Text(), 'UID of the owner.'),
    controller: kept(6, Bool(), 'Whether the owner is the controller of this object. At most one owner may be.'),
    blockOwnerDeletion: kept(
      7,
      Bool(),
      'Whether the owner, deleted in the foreground, stays until this object is gone.',
    ),
  },
  { description: 'An object that this one belongs to.', mapType: 'atomic' },
)
export type OwnerReference = Static<typeof OwnerReference>

/** Who owns which fields, by which operation, since when. */
export const ManagedFieldsEntry = Struct(
  'meta.v1.ManagedFieldsEntry',
  {
    manager: field(1, Text(), 'Who manages the fields.'),
    operation: field(2, Text(), 'Apply, or Update for all other ways of writing.'),
    apiVersion: field(3, Text(), 'API version that the fields are of.'),
    time: kept(4, Time(), 'When the fields were last changed.'),
    fieldsType: field(6, Text(), 'Format of the fields: FieldsV1.'),
    fieldsV1: kept(7, Raw('meta.v1.FieldsV1'), 'The fields, as a tree of f:name, k:key and v:value.'),
    subresource: field(8, Text(), 'Subresource through which they were set.'),
  },
  { description: 'Fields that a manager has set.' },
)
export type ManagedFieldsEntry = Static<typeof ManagedFieldsEntry>

/** Metadata of every object: name, labels, owners, versions. */
export const ObjectMeta = Struct(
  'meta.v1.ObjectMeta',
  {
    name: field(1, Text(), 'Name of the object, unique for its type within the namespace. It cannot be changed.'),
    generateName: field(2, Text(), 'Beginning of a name that the server completes, when no name is given.'),
    namespace: field(3, Text(), 'Namespace of the object. It cannot be changed.'),
    selfLink: field(4, Text(), 'No longer used.'),
    uid: field(5, Text(), 'Identifies the object over time. Filled in by the server.'),
    resourceVersion: field(
      6,
      Text(),
      'Version of the object, opaque to clients. An update with an outdated version is rejected.',
    ),
    generation: field(7, Int64(), 'Counts changes of the desired state. Set by the server.'),
    creationTimestamp: embedded(8, Time(), {
      description: 'When the object was created. Filled in by the server.',
      // Until then objects inside others, such as templates, say null.
      revised: [{ since: '1.34', to: { presence: 'drop' } }],
    }),
    deletionTimestamp: kept(
      9,
      Time(),
      'When the object will be deleted. Set by the server when its deletion is requested.',
    ),
    deletionGracePeriodSeconds: kept(10, Int64(), 'Grace period of the deletion in seconds. Set by the server.'),
    labels: field(11, StringMap(), 'Keys and values by which objects can be selected.'),
    annotations: field(12, StringMap(), 'Keys and values for tools. They cannot be selected by.'),
    ownerReferences: field(
      13,
      ListOf(OwnerReference, { patchStrategy: 'merge', patchMergeKey: 'uid' }),
      'Objects that this one belongs to. It is deleted when all of them are gone.',
    ),
    finalizers: field(
      14,
      ListOf(Text(), { patchStrategy: 'merge' }),
      'Finalizers that must be removed before the object is deleted.',
    ),
    clusterName: field(15, Text(), { description: 'No longer used.', until: '1.24' }),
    managedFields: field(17, ListOf(ManagedFieldsEntry), 'Who set which fields. Kept by the server.'),
  },
  { description: 'Metadata of every object.' },
)
export type ObjectMeta = Static<typeof ObjectMeta>

/** The minimum of every stored object. */
export interface ApiObject {
  apiVersion?: string
  kind?: string
  metadata: ObjectMeta
  [field: string]: unknown
}
/** An object of a type as it is stored. */
export type Stored<T> = ApiObject & T

/** The fields of a top-level kind: its metadata plus the given ones. `apiVersion` and `kind` are implied. */
export const Kind = <P extends Record<string, TSchema>>(
  name: string,
  fields: P,
  about: { description?: string } = {},
) =>
  Struct(
    name,
    {
      metadata: embedded(1, ObjectMeta, 'Name, labels, annotations and data maintained by the server.'),
      ...fields,
    },
    about,
  )

/** A condition on one label: `In`, `NotIn`, `Exists` or `DoesNotExist`. */
export const LabelSelectorRequirement = Struct(
  'meta.v1.LabelSelectorRequirement',
  {
    key: required(1, Text(), { description: 'The label.', patchStrategy: 'merge', patchMergeKey: 'key' }),
    operator: required(2, Text(), 'In, NotIn, Exists or DoesNotExist.'),
    values: field(3, ListOf(Text()), 'Values for In and NotIn; none otherwise.'),
  },
  { description: 'A condition on labels.' },
)
/** Selects objects by their labels. All conditions must hold; without any it selects everything. */
export const LabelSelector = Struct(
  'meta.v1.LabelSelector',
  {
    matchLabels: field(1, StringMap(), 'Labels and the values that they must have.'),
    matchExpressions: field(2, ListOf(LabelSelectorRequirement), 'Further conditions.'),
  },
  {
    description: 'Which objects, by their labels; all conditions must hold. An empty one selects all.',
    mapType: 'atomic',
  },
)
export type LabelSelector = Static<typeof LabelSelector>

/** One thing that is true, false or unknown about an object, since when and why. */
export const Condition = Struct(
  'meta.v1.Condition',
  {
    type: required(1, Text(), 'Type of the condition.'),
    status: required(2, Text(), 'True, False or Unknown.'),
    observedGeneration: field(3, Int64(), 'The generation that it was observed of.'),
    lastTransitionTime: required(4, Time(), 'When the status last changed.'),
    reason: required(5, Text(), 'Machine-readable reason in one word.'),
    message: required(6, Text(), 'Human-readable message.'),
  },
  { description: 'Something observed about an object.' },
)
export type Condition = Static<typeof Condition>

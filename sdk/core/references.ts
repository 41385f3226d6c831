import { embedded, field, kept, required, type Static, Struct, Text } from '../resource/schema.js'

/** Names any object, possibly one version or one part of it. */
export const ObjectReference = Struct(
  'core.v1.ObjectReference',
  {
    kind: field(1, Text(), 'Kind of the object.'),
    namespace: field(2, Text(), 'Namespace of the object.'),
    name: field(3, Text(), 'Name of the object.'),
    uid: field(4, Text(), 'UID of the object.'),
    apiVersion: field(5, Text(), 'API version of the object.'),
    resourceVersion: field(6, Text(), 'Version of the object.'),
    fieldPath: field(7, Text(), 'A part of the object, such as spec.containers{name}.'),
  },
  { description: 'Names an object.', mapType: 'atomic' },
)
export type ObjectReference = Static<typeof ObjectReference>

/** Names an object in the same namespace; the kind is known from the place. */
export const LocalObjectReference = Struct(
  'core.v1.LocalObjectReference',
  {
    // A key of lists may be left out where it has a default, even an empty one.
    name: field(1, Text(), {
      description: 'Name of the object.',
      revised: [{ since: '1.30', to: { default: '' } }],
    }),
  },
  { description: 'Names an object of the same namespace.', mapType: 'atomic' },
)
export type LocalObjectReference = Static<typeof LocalObjectReference>

/** Names a Secret in any namespace. */
export const SecretReference = Struct(
  'core.v1.SecretReference',
  {
    name: field(1, Text(), 'Name of the Secret.'),
    namespace: field(2, Text(), 'Namespace of the Secret.'),
  },
  { description: 'Names a Secret.', mapType: 'atomic' },
)
export type SecretReference = Static<typeof SecretReference>

/** Names an object of some kind in the same namespace. */
export const TypedLocalObjectReference = Struct(
  'core.v1.TypedLocalObjectReference',
  {
    apiGroup: embedded(1, Text(), {
      description: 'API group of the kind. Empty means the core group.',
      nullable: true,
    }),
    kind: required(2, Text(), 'Kind of the object.'),
    name: required(3, Text(), 'Name of the object.'),
  },
  { description: 'Names an object of the same namespace and its kind.', mapType: 'atomic' },
)
export type TypedLocalObjectReference = Static<typeof TypedLocalObjectReference>

/** Names an object of any namespace and its kind. It is not atomic: in apply, each field has an owner of its own. */
export const TypedObjectReference = Struct(
  'core.v1.TypedObjectReference',
  {
    apiGroup: embedded(1, Text(), {
      description: 'API group of the kind. Empty means the core group.',
      nullable: true,
    }),
    kind: required(2, Text(), 'Kind of the object.'),
    name: required(3, Text(), 'Name of the object.'),
    namespace: kept(4, Text(), 'Namespace of the object. That of this one by default.'),
  },
  { description: 'Names an object and its kind.', mapType: 'granular' },
)
export type TypedObjectReference = Static<typeof TypedObjectReference>

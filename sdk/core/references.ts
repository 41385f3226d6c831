import { embedded, field, needed, type Static, Struct, Text } from '../schema.js'

/** Names any object, possibly one version or one part of it. */
export const ObjectReference = Struct(
  'core.v1.ObjectReference',
  {
    kind: field(1, Text()),
    namespace: field(2, Text()),
    name: field(3, Text()),
    uid: field(4, Text()),
    apiVersion: field(5, Text()),
    resourceVersion: field(6, Text()),
    fieldPath: field(7, Text()),
  },
  { mapType: 'atomic' },
)
export type ObjectReference = Static<typeof ObjectReference>

/** Names an object in the same namespace; the kind is known from the place. */
export const LocalObjectReference = Struct(
  'core.v1.LocalObjectReference',
  {
    name: field(1, Text()),
  },
  { mapType: 'atomic' },
)
export type LocalObjectReference = Static<typeof LocalObjectReference>

/** Names a Secret in any namespace. */
export const SecretReference = Struct(
  'core.v1.SecretReference',
  {
    name: field(1, Text()),
    namespace: field(2, Text()),
  },
  { mapType: 'atomic' },
)
export type SecretReference = Static<typeof SecretReference>

/** Names an object of some kind in the same namespace. */
export const TypedLocalObjectReference = Struct(
  'core.v1.TypedLocalObjectReference',
  {
    apiGroup: embedded(1, Text(), { nullable: true }),
    kind: needed(2, Text()),
    name: needed(3, Text()),
  },
  { mapType: 'atomic' },
)
export type TypedLocalObjectReference = Static<typeof TypedLocalObjectReference>

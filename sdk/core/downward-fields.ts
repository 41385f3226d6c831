import { embedded, field, needed, Quantity, type Static, Struct, Text } from '../schema.js'

/** Selects a field of the Pod that contains it. */
export const ObjectFieldSelector = Struct(
  'core.v1.ObjectFieldSelector',
  {
    apiVersion: field(1, Text(), { default: 'v1' }),
    fieldPath: needed(2, Text()),
  },
  { mapType: 'atomic' },
)
export type ObjectFieldSelector = Static<typeof ObjectFieldSelector>

/** Selects a request or limit of a container. */
export const ResourceFieldSelector = Struct(
  'core.v1.ResourceFieldSelector',
  {
    containerName: field(1, Text()),
    resource: needed(2, Text()),
    divisor: embedded(3, Quantity()),
  },
  { mapType: 'atomic' },
)
export type ResourceFieldSelector = Static<typeof ResourceFieldSelector>

import { embedded, field, Quantity, required, type Static, Struct, Text } from '../resource/schema.js'

/** Selects a field of the Pod that contains it. */
export const ObjectFieldSelector = Struct(
  'core.v1.ObjectFieldSelector',
  {
    apiVersion: field(1, Text(), { description: 'API version of the path. v1 by default.', default: 'v1' }),
    fieldPath: required(2, Text(), 'Path of the field, such as metadata.name.'),
  },
  { description: 'A field of the Pod.', mapType: 'atomic' },
)
export type ObjectFieldSelector = Static<typeof ObjectFieldSelector>

/** Selects a request or limit of a container. */
export const ResourceFieldSelector = Struct(
  'core.v1.ResourceFieldSelector',
  {
    containerName: field(1, Text(), 'Name of the container. Required in volumes.'),
    resource: required(2, Text(), 'The resource, such as limits.cpu.'),
    divisor: embedded(3, Quantity(), 'Unit of the value. 1 by default.'),
  },
  { description: 'A resource of a container.', mapType: 'atomic' },
)
export type ResourceFieldSelector = Static<typeof ResourceFieldSelector>

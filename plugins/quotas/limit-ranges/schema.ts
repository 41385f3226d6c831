import { embedded, field, Kind, ListOf, MapOf, Quantity, required, type Static, Struct, Text } from 'orch/sdk'

export const LimitRangeItem = Struct(
  'core.v1.LimitRangeItem',
  {
    type: required(1, Text(), 'What the limits are for: Container, Pod or PersistentVolumeClaim.'),
    max: field(2, MapOf(Quantity()), 'The maximum usage, by resource.'),
    min: field(3, MapOf(Quantity()), 'The minimum usage, by resource.'),
    default: field(4, MapOf(Quantity()), 'Default limits of containers, by resource.'),
    defaultRequest: field(5, MapOf(Quantity()), 'Default requests of containers, by resource.'),
    maxLimitRequestRatio: field(6, MapOf(Quantity()), 'The maximum ratio of limit to request, by resource.'),
  },
  { description: 'Limits for one type of object.' },
)
export type LimitRangeItem = Static<typeof LimitRangeItem>

export const LimitRangeSpec = Struct(
  'core.v1.LimitRangeSpec',
  {
    limits: required(1, ListOf(LimitRangeItem), 'Limits by type of object.'),
  },
  { description: 'The limits.' },
)
export type LimitRangeSpec = Static<typeof LimitRangeSpec>

export const LimitRange = Kind(
  'core.v1.LimitRange',
  {
    spec: embedded(2, LimitRangeSpec, 'Desired state.'),
  },
  { description: 'Limits and defaults for individual objects of a namespace.' },
)
export type LimitRange = Static<typeof LimitRange>

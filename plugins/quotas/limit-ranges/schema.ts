import { embedded, field, Kind, ListOf, MapOf, Quantity, required, type Static, Struct, Text } from 'orch/sdk'

export const LimitRangeItem = Struct(
  'core.v1.LimitRangeItem',
  {
    type: required(1, Text(), 'What the limits are for: Container, Pod or PersistentVolumeClaim.'),
    max: field(2, MapOf(Quantity()), 'The most that may be used, by resource.'),
    min: field(3, MapOf(Quantity()), 'The least that must be asked for, by resource.'),
    default: field(4, MapOf(Quantity()), 'Limits of containers that state none, by resource.'),
    defaultRequest: field(5, MapOf(Quantity()), 'Requests of containers that state none, by resource.'),
    maxLimitRequestRatio: field(6, MapOf(Quantity()), 'How many times its request a limit may be, by resource.'),
  },
  { description: 'Limits for one kind of thing.' },
)
export type LimitRangeItem = Static<typeof LimitRangeItem>

export const LimitRangeSpec = Struct(
  'core.v1.LimitRangeSpec',
  {
    limits: required(1, ListOf(LimitRangeItem), 'Limits by kind of thing.'),
  },
  { description: 'What is limited.' },
)
export type LimitRangeSpec = Static<typeof LimitRangeSpec>

export const LimitRange = Kind(
  'core.v1.LimitRange',
  {
    spec: embedded(2, LimitRangeSpec, 'Desired state.'),
  },
  { description: 'Limits and defaults for single objects of a namespace.' },
)
export type LimitRange = Static<typeof LimitRange>

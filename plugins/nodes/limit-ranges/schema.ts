import { embedded, field, Kind, ListOf, MapOf, needed, Quantity, type Static, Struct, Text } from 'orch/sdk'

export const LimitRangeItem = Struct('core.v1.LimitRangeItem', {
  type: needed(1, Text()),
  max: field(2, MapOf(Quantity())),
  min: field(3, MapOf(Quantity())),
  default: field(4, MapOf(Quantity())),
  defaultRequest: field(5, MapOf(Quantity())),
  maxLimitRequestRatio: field(6, MapOf(Quantity())),
})
export type LimitRangeItem = Static<typeof LimitRangeItem>

export const LimitRangeSpec = Struct('core.v1.LimitRangeSpec', {
  limits: needed(1, ListOf(LimitRangeItem)),
})
export type LimitRangeSpec = Static<typeof LimitRangeSpec>

export const LimitRange = Kind('core.v1.LimitRange', {
  spec: embedded(2, LimitRangeSpec),
})
export type LimitRange = Static<typeof LimitRange>

import { embedded, field, Kind, kept, ListOf, MapOf, needed, Quantity, type Static, Struct, Text } from 'orch/sdk'

export const ScopedResourceSelectorRequirement = Struct('core.v1.ScopedResourceSelectorRequirement', {
  scopeName: needed(1, Text()),
  operator: needed(2, Text()),
  values: field(3, ListOf(Text())),
})
export type ScopedResourceSelectorRequirement = Static<typeof ScopedResourceSelectorRequirement>

export const ScopeSelector = Struct(
  'core.v1.ScopeSelector',
  {
    matchExpressions: field(1, ListOf(ScopedResourceSelectorRequirement)),
  },
  { mapType: 'atomic' },
)
export type ScopeSelector = Static<typeof ScopeSelector>

export const ResourceQuotaSpec = Struct('core.v1.ResourceQuotaSpec', {
  hard: field(1, MapOf(Quantity())),
  scopes: field(2, ListOf(Text())),
  scopeSelector: kept(3, ScopeSelector),
})
export type ResourceQuotaSpec = Static<typeof ResourceQuotaSpec>

export const ResourceQuotaStatus = Struct('core.v1.ResourceQuotaStatus', {
  hard: field(1, MapOf(Quantity())),
  used: field(2, MapOf(Quantity())),
})
export type ResourceQuotaStatus = Static<typeof ResourceQuotaStatus>

export const ResourceQuota = Kind('core.v1.ResourceQuota', {
  spec: embedded(2, ResourceQuotaSpec),
  status: embedded(3, ResourceQuotaStatus),
})
export type ResourceQuota = Static<typeof ResourceQuota>

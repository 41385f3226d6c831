import { embedded, field, Kind, kept, ListOf, MapOf, Quantity, required, type Static, Struct, Text } from 'orch/sdk'

export const ScopedResourceSelectorRequirement = Struct(
  'core.v1.ScopedResourceSelectorRequirement',
  {
    scopeName: required(1, Text(), 'The scope, such as PriorityClass.'),
    operator: required(2, Text(), 'In, NotIn, Exists or DoesNotExist.'),
    values: field(3, ListOf(Text()), 'Values for In and NotIn.'),
  },
  { description: 'A condition that counted objects must meet.' },
)
export type ScopedResourceSelectorRequirement = Static<typeof ScopedResourceSelectorRequirement>

export const ScopeSelector = Struct(
  'core.v1.ScopeSelector',
  {
    matchExpressions: field(1, ListOf(ScopedResourceSelectorRequirement), 'The conditions.'),
  },
  { description: 'Conditions that counted objects must meet; all must hold.', mapType: 'atomic' },
)
export type ScopeSelector = Static<typeof ScopeSelector>

export const ResourceQuotaSpec = Struct(
  'core.v1.ResourceQuotaSpec',
  {
    hard: field(1, MapOf(Quantity()), 'Limits by resource, such as pods, requests.cpu or count/configmaps.'),
    scopes: field(2, ListOf(Text()), 'Scopes of counted objects, such as Terminating or BestEffort. All must match.'),
    scopeSelector: kept(3, ScopeSelector, 'Further conditions that counted objects must meet.'),
  },
  { description: 'The limits, and the objects they apply to.' },
)
export type ResourceQuotaSpec = Static<typeof ResourceQuotaSpec>

export const ResourceQuotaStatus = Struct(
  'core.v1.ResourceQuotaStatus',
  {
    hard: field(1, MapOf(Quantity()), 'The limits that are enforced.'),
    used: field(2, MapOf(Quantity()), 'The usage, by resource.'),
  },
  { description: 'The enforced limits and the usage.' },
)
export type ResourceQuotaStatus = Static<typeof ResourceQuotaStatus>

export const ResourceQuota = Kind(
  'core.v1.ResourceQuota',
  {
    spec: embedded(2, ResourceQuotaSpec, 'Desired state.'),
    status: embedded(3, ResourceQuotaStatus, 'Observed state. Written by the system.'),
  },
  { description: 'Limits the total usage of a namespace.' },
)
export type ResourceQuota = Static<typeof ResourceQuota>

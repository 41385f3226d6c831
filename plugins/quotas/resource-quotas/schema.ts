import { embedded, field, Kind, kept, ListOf, MapOf, Quantity, required, type Static, Struct, Text } from 'orch/sdk'

export const ScopedResourceSelectorRequirement = Struct(
  'core.v1.ScopedResourceSelectorRequirement',
  {
    scopeName: required(1, Text(), 'What the condition is about, such as PriorityClass.'),
    operator: required(2, Text(), 'In, NotIn, Exists or DoesNotExist.'),
    values: field(3, ListOf(Text()), 'Values for In and NotIn.'),
  },
  { description: 'A condition on what a quota counts.' },
)
export type ScopedResourceSelectorRequirement = Static<typeof ScopedResourceSelectorRequirement>

export const ScopeSelector = Struct(
  'core.v1.ScopeSelector',
  {
    matchExpressions: field(1, ListOf(ScopedResourceSelectorRequirement), 'The conditions.'),
  },
  { description: 'Conditions on what a quota counts; all must hold.', mapType: 'atomic' },
)
export type ScopeSelector = Static<typeof ScopeSelector>

export const ResourceQuotaSpec = Struct(
  'core.v1.ResourceQuotaSpec',
  {
    hard: field(1, MapOf(Quantity()), 'Limits by resource, such as pods, requests.cpu or count/configmaps.'),
    scopes: field(2, ListOf(Text()), 'What is counted, such as Terminating or BestEffort. All must hold.'),
    scopeSelector: kept(3, ScopeSelector, 'Further conditions on what is counted.'),
  },
  { description: 'What may be used altogether.' },
)
export type ResourceQuotaSpec = Static<typeof ResourceQuotaSpec>

export const ResourceQuotaStatus = Struct(
  'core.v1.ResourceQuotaStatus',
  {
    hard: field(1, MapOf(Quantity()), 'The limits that are enforced.'),
    used: field(2, MapOf(Quantity()), 'What is used, by resource.'),
  },
  { description: 'What is used.' },
)
export type ResourceQuotaStatus = Static<typeof ResourceQuotaStatus>

export const ResourceQuota = Kind(
  'core.v1.ResourceQuota',
  {
    spec: embedded(2, ResourceQuotaSpec, 'Desired state.'),
    status: embedded(3, ResourceQuotaStatus, 'Observed state. Written by the system.'),
  },
  { description: 'Limits for everything in a namespace together.' },
)
export type ResourceQuota = Static<typeof ResourceQuota>

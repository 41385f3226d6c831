import type { ApiObject, GroupResource } from 'orch/sdk'
import type { ResourceRef } from 'orch/sdk/client'
import type { ResourceQuota, ScopedResourceSelectorRequirement as ScopeRequirement } from '../resource-quotas/schema.js'

export type StoredQuota = ApiObject & ResourceQuota

export const resourceQuotaCollection: GroupResource = { group: '', resource: 'resourcequotas' }
export const resourceQuotas: ResourceRef = { ...resourceQuotaCollection, version: 'v1' }

/** All scopes of a quota, from both fields. */
export const scopesOf = ({ spec }: ResourceQuota): readonly ScopeRequirement[] => [
  ...(spec?.scopes ?? []).map(scopeName => ({ scopeName, operator: 'Exists' })),
  ...(spec?.scopeSelector?.matchExpressions ?? []),
]

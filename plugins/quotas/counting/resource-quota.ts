import type { GroupResource, ObjectMeta, ResourceList, ResourceRef } from 'orch/sdk'

/** What this plugin reads and writes of a ResourceQuota; the type itself is another plugin's. */
export interface ResourceQuota {
  apiVersion?: string
  kind?: string
  metadata: ObjectMeta
  spec?: {
    readonly hard?: ResourceList
    readonly scopes?: readonly string[]
    readonly scopeSelector?: { readonly matchExpressions?: readonly ScopeRequirement[] }
  }
  status?: { hard?: ResourceList; used?: ResourceList }
}
/** A condition on what counts. */
export interface ScopeRequirement {
  readonly scopeName: string
  readonly operator: string
  readonly values?: readonly string[]
}

export const resourceQuotaCollection: GroupResource = { group: '', resource: 'resourcequotas' }
export const resourceQuotas: ResourceRef = { ...resourceQuotaCollection, version: 'v1' }

/** All conditions of a quota, in one form. */
export const scopesOf = ({ spec }: ResourceQuota): readonly ScopeRequirement[] => [
  ...(spec?.scopes ?? []).map(scopeName => ({ scopeName, operator: 'Exists' })),
  ...(spec?.scopeSelector?.matchExpressions ?? []),
]

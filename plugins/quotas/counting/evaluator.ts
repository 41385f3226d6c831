import type { AdmissionRequest, ApiObject, GroupResource } from 'orch/sdk'
import type { Amounts } from '../amounts/amounts.js'
import type { ResourceQuota, ScopeRequirement } from './resource-quota.js'
import { scopesOf } from './resource-quota.js'

/** Knows what the objects of one type use. */
export interface Evaluator extends GroupResource {
  /** Requests that can use more than before. */
  readonly operations: readonly AdmissionRequest['operation'][]
  /** Does this type use the resource of this name? */
  counts(resourceName: string): boolean
  /** Does every object use one of each resource that is counted? Then nobody needs to look into them. */
  readonly isUniform?: boolean
  usageOf(object: ApiObject, now: number): Amounts
  /** Is the object within a scope? No object is, for most types. */
  isInScope?(object: ApiObject, scope: ScopeRequirement): boolean
  /** Of the resources a quota restricts, those that the object must name and does not. */
  unnamed?(object: ApiObject, restricted: readonly string[]): readonly string[]
}

/** Does a quota on these resources concern the object? */
export function concerns(
  evaluator: Evaluator,
  quota: ResourceQuota,
  hard: readonly string[],
  object: ApiObject,
): boolean {
  return hard.some(name => evaluator.counts(name)) && isInScopes(evaluator, quota, object)
}

/** Is the object within all scopes of the quota? A quota without scopes has room for everything. */
export const isInScopes = (evaluator: Evaluator, quota: ResourceQuota, object: ApiObject): boolean =>
  scopesOf(quota).every(scope => evaluator.isInScope?.(object, scope) ?? false)

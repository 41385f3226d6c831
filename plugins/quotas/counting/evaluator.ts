import type { AdmissionRequest, ApiObject, GroupResource } from 'orch/sdk'
import type { Amounts } from '../amounts/amounts.js'
import type { ScopedResourceSelectorRequirement } from '../resource-quotas/schema.js'

/** Knows what the objects of one type use. */
export interface Evaluator extends GroupResource {
  /** Requests that can use more than before. */
  readonly operations: readonly AdmissionRequest['operation'][]
  /** Does this type use the resource of this name? */
  counts(resourceName: string): boolean
  /** Every resource that this type uses, if each object uses one of each: then objects need not be read. */
  readonly uniform?: readonly string[]
  usageOf(object: ApiObject, now: number): Amounts
  /** Is the object within a scope? No object is, for most types. */
  isInScope?(object: ApiObject, scope: ScopedResourceSelectorRequirement): boolean
  /** Of the resources a quota restricts, those that the object must name and does not. */
  unnamed?(object: ApiObject, restricted: readonly string[]): readonly string[]
}

/** Is an object of this type within all of these scopes? Without scopes, every object is. */
export const isInScopes = (
  evaluator: Evaluator,
  scopes: readonly ScopedResourceSelectorRequirement[],
  object: ApiObject,
): boolean => scopes.every(scope => evaluator.isInScope?.(object, scope) ?? false)

import type { AdmissionRequest, ApiObject, GroupResource } from 'orch/sdk'
import type { Amounts } from '../amounts/amounts.js'
import type { ScopedResourceSelectorRequirement } from '../resource-quotas/schema.js'

/** What a write does to which object. */
export type Write = Pick<AdmissionRequest, 'operation' | 'subresource' | 'object' | 'oldObject'>

/** Calculates the usage of the objects of one type. */
export interface Evaluator extends GroupResource {
  /** Whether this write can increase usage. Absent if only new objects do. */
  isCharged?(write: Write): boolean
  /** Whether objects of this type use the resource. */
  counts(resourceName: string): boolean
  /** All resources that this type uses, if every object uses exactly one of each: then objects need not be read. */
  readonly uniform?: readonly string[]
  usageOf(object: ApiObject, now: number): Amounts
  /** Whether the object is in a scope. Absent for types without scopes. */
  isInScope?(object: ApiObject, scope: ScopedResourceSelectorRequirement): boolean
  /** The restricted resources that the object must specify but does not. */
  unnamed?(object: ApiObject, restricted: readonly string[]): readonly string[]
}

/** Whether an object of this type is in all of these scopes. */
export const isInScopes = (
  evaluator: Evaluator,
  scopes: readonly ScopedResourceSelectorRequirement[],
  object: ApiObject,
): boolean => scopes.every(scope => evaluator.isInScope?.(object, scope) ?? false)

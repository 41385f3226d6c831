import type { Outcome } from './collect-object.js'
import type { LiveObjects } from './live-objects.js'
import type { GraphNode, OwnerGraph } from './owner-graph.js'
import { foregroundFinalizer, orphanFinalizer } from './propagation.js'

/**
 * Each type has its own watch, so the event of a dependent written just before its owner was deleted may arrive
 * just after. An owner is released only after events had time to arrive; the graph remembers it for those that
 * are even later.
 */
export const settleMs = 50
/** Dependents that are changed concurrently. */
const maxConcurrentWrites = 8

export interface ReleaseServices {
  readonly objects: LiveObjects
  readonly graph: OwnerGraph
  now(): number
}

/** Releases an owner once no dependent blocks it. */
export async function releaseAfterDependents(node: GraphNode, services: ReleaseServices): Promise<Outcome> {
  // Every deleted or changed dependent triggers this again, so the first one found is enough to wait.
  for (const dependent of node.dependents) if (dependent.owners.get(node)?.blocks) return undefined
  return release(node, foregroundFinalizer, services)
}

/** Removes the references of its dependents, then releases the owner. */
export async function releaseFromDependents(node: GraphNode, services: ReleaseServices): Promise<Outcome> {
  const early = waitToSettle(node, services)
  if (early) return early
  const dependents = [...node.dependents]
  for (let first = 0; first < dependents.length; first += maxConcurrentWrites) {
    const some = dependents.slice(first, first + maxConcurrentWrites)
    await Promise.all(some.map(dependent => services.objects.removeOwner(dependent, node.uid)))
  }
  services.graph.releaseDependents(node)
  return release(node, orphanFinalizer, services)
}

async function release(
  node: GraphNode,
  finalizer: typeof foregroundFinalizer | typeof orphanFinalizer,
  services: ReleaseServices,
): Promise<Outcome> {
  const early = waitToSettle(node, services)
  if (early) return early
  return (await services.objects.removeFinalizer(node, finalizer)) ? undefined : { requeueAfterMs: 5 }
}

function waitToSettle({ propagationSince }: GraphNode, { now }: ReleaseServices): Outcome {
  const missing = propagationSince + settleMs - now()
  return missing > 0 ? { requeueAfterMs: missing } : undefined
}

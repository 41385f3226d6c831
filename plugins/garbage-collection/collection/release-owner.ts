import type { Outcome } from './collect-object.js'
import type { LiveObjects } from './live-objects.js'
import type { GraphNode, OwnerGraph } from './owner-graph.js'
import { foregroundFinalizer, orphanFinalizer } from './propagation.js'

/**
 * Types are followed by watches of their own, so a dependent written just before its owner was deleted may be heard of
 * just after. An owner is let go only when everything written before had time to arrive; the graph remembers it for those that
 * are later still.
 */
export const settleMs = 50
/** How many dependents are changed at once. */
const parallelWrites = 8

export interface ReleaseServices {
  readonly objects: LiveObjects
  readonly graph: OwnerGraph
  now(): number
}

/** Lets an owner go once nothing that blocks it is left. */
export async function releaseAfterDependents(node: GraphNode, services: ReleaseServices): Promise<Outcome> {
  // Every deleted or changed dependent triggers this again, so the first one found is enough to wait.
  for (const dependent of node.dependents) if (dependent.owners.get(node)?.blocks) return undefined
  return release(node, foregroundFinalizer, services)
}

/** Takes the owner out of its dependents' references, then lets it go. */
export async function releaseFromDependents(node: GraphNode, services: ReleaseServices): Promise<Outcome> {
  const early = waitToSettle(node, services)
  if (early) return early
  const dependents = [...node.dependents]
  for (let first = 0; first < dependents.length; first += parallelWrites) {
    const some = dependents.slice(first, first + parallelWrites)
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

import type { ApiObject, OwnerReference } from 'orch/sdk'
import type { ForeignOwners, MissingOwner } from './foreign-owners.js'
import { type LiveObjects, waitsForDependents } from './live-objects.js'
import type { GraphNode, OwnerGraph } from './owner-graph.js'
import { foregroundFinalizer, orphanFinalizer } from './propagation.js'

export type Outcome = undefined | { requeueAfterMs: number }

const retrySoon: Outcome = { requeueAfterMs: 5 }

/** Collects an object without remaining owners. Every owner is looked up in the API before anything is deleted. */
export async function collectObject(
  node: GraphNode,
  graph: OwnerGraph,
  objects: Pick<LiveObjects, 'find' | 'delete' | 'patchMetadata'>,
  foreign: Pick<ForeignOwners, 'report'>,
): Promise<Outcome> {
  const live = await objects.find(node)
  if (!live) {
    graph.vanish(node)
    return undefined
  }
  const { ownerReferences = [], deletionTimestamp } = live.metadata
  if (ownerReferences.length === 0 || deletionTimestamp) return undefined
  const owners = await classifyOwners(node.namespace, ownerReferences, graph, objects)
  // An owner that cannot be looked up may exist, so the object is kept.
  if (owners.unknown.length > 0) return undefined
  const { solid, waiting, absent, released } = owners
  if (solid.length > 0 && waiting.length + absent.length + released.length === 0) return undefined
  if (solid.length === 0 && waiting.length > 0 && node.dependents.size > 0) return collectBranch(node, live, objects)
  // Determined now: the graph drops the owners with the object.
  const neverSeen = absent.filter(({ owner }) => !graph.get(owner.key)?.wasPresent)
  const stays = solid.length > 0 || (released.length > 0 && waiting.length + absent.length === 0)
  const isDone = stays
    ? await objects.patchMetadata(node, live, { ownerReferences: solid })
    : await objects.delete(node, live, policyOf(live))
  if (!isDone) return retrySoon
  await foreign.report(live, neverSeen)
  return undefined
}

interface ClassifiedOwners {
  /** They exist and are not being deleted in the foreground. */
  readonly solid: OwnerReference[]
  /** They are being deleted in the foreground, and wait for their dependents. */
  readonly waiting: OwnerReference[]
  readonly absent: MissingOwner[]
  /** They were deleted without their dependents. */
  readonly released: OwnerReference[]
  /** They are of a type that is not served, or of an unknown namespace. */
  readonly unknown: OwnerReference[]
}

async function classifyOwners(
  namespace: string,
  references: readonly OwnerReference[],
  graph: OwnerGraph,
  objects: Pick<LiveObjects, 'find'>,
): Promise<ClassifiedOwners> {
  const classified: ClassifiedOwners = { solid: [], waiting: [], absent: [], released: [], unknown: [] }
  for (const reference of references) {
    const owner = graph.identify(namespace, reference)
    if (graph.hasReleased(reference)) classified.released.push(reference)
    else if (!owner) classified.unknown.push(reference)
    else if (graph.get(owner.key)?.state === 'absent') classified.absent.push({ reference, owner })
    else {
      const live = await objects.find(owner)
      if (!live) classified.absent.push({ reference, owner })
      else if (waitsForDependents(live)) classified.waiting.push(reference)
      else classified.solid.push(reference)
    }
  }
  return classified
}

/** An object that has dependents of its own and whose owner waits for it: it is deleted in the foreground, too. */
async function collectBranch(
  node: GraphNode,
  live: ApiObject,
  objects: Pick<LiveObjects, 'delete' | 'patchMetadata'>,
): Promise<Outcome> {
  const { ownerReferences = [] } = live.metadata
  const isInCircle = [...node.dependents].some(({ propagation }) => propagation === 'foreground')
  if (isInCircle && ownerReferences.some(({ blockOwnerDeletion }) => blockOwnerDeletion)) {
    // Owner and dependent would wait for each other forever. The deletion follows in the next run.
    const unblocked = ownerReferences.map(reference => ({ ...reference, blockOwnerDeletion: false }))
    await objects.patchMetadata(node, live, { ownerReferences: unblocked })
    return retrySoon
  }
  return (await objects.delete(node, live, 'Foreground')) ? undefined : retrySoon
}

/** A finalizer may already specify the propagation. */
function policyOf({ metadata: { finalizers = [] } }: ApiObject): 'Orphan' | 'Foreground' | 'Background' {
  if (finalizers.includes(orphanFinalizer)) return 'Orphan'
  return finalizers.includes(foregroundFinalizer) ? 'Foreground' : 'Background'
}

import type { ApiObject, OwnerReference } from 'orch/sdk'
import type { ForeignOwners, MissingOwner } from './foreign-owners.js'
import { type LiveObjects, waitsForDependents } from './live-objects.js'
import type { GraphNode, OwnerGraph } from './owner-graph.js'
import { foregroundFinalizer, orphanFinalizer } from './propagation.js'

/** What is asked for after a look at a node. */
export type Outcome = undefined | { requeueAfterMs: number }

const lookAgain: Outcome = { requeueAfterMs: 5 }

/** Collects an object none of whose owners is left. The API is asked about every owner before anything is deleted. */
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
  const owners = await judgeOwners(node.namespace, ownerReferences, graph, objects)
  // What cannot be looked up may exist, so the object stays.
  if (owners.unknown.length > 0) return undefined
  const { solid, waiting, absent, released } = owners
  if (solid.length > 0 && waiting.length + absent.length + released.length === 0) return undefined
  if (solid.length === 0 && waiting.length > 0 && node.dependents.size > 0) return collectBranch(node, live, objects)
  // Asked now: once the object is gone, so is what the graph knew of its owners.
  const neverSeen = absent.filter(({ owner }) => !graph.get(owner.key)?.wasPresent)
  const stays = solid.length > 0 || (released.length > 0 && waiting.length + absent.length === 0)
  const isDone = stays
    ? await objects.patchMetadata(node, live, { ownerReferences: solid })
    : await objects.delete(node, live, policyOf(live))
  if (!isDone) return lookAgain
  await foreign.report(live, neverSeen)
  return undefined
}

interface JudgedOwners {
  /** They exist and stay. */
  readonly solid: OwnerReference[]
  /** They go as soon as their dependents are gone. */
  readonly waiting: OwnerReference[]
  readonly absent: MissingOwner[]
  /** They were deleted without their dependents. */
  readonly released: OwnerReference[]
  /** They are of a type that is not served, or of an unknown namespace. */
  readonly unknown: OwnerReference[]
}

async function judgeOwners(
  namespace: string,
  references: readonly OwnerReference[],
  graph: OwnerGraph,
  objects: Pick<LiveObjects, 'find'>,
): Promise<JudgedOwners> {
  const judged: JudgedOwners = { solid: [], waiting: [], absent: [], released: [], unknown: [] }
  for (const reference of references) {
    const owner = graph.identify(namespace, reference)
    if (graph.hasReleased(reference)) judged.released.push(reference)
    else if (!owner) judged.unknown.push(reference)
    else if (graph.get(owner.key)?.state === 'absent') judged.absent.push({ reference, owner })
    else {
      const live = await objects.find(owner)
      if (!live) judged.absent.push({ reference, owner })
      else if (waitsForDependents(live)) judged.waiting.push(reference)
      else judged.solid.push(reference)
    }
  }
  return judged
}

/** An object between an owner that waits and dependents of its own: it waits for them in turn. */
async function collectBranch(
  node: GraphNode,
  live: ApiObject,
  objects: Pick<LiveObjects, 'delete' | 'patchMetadata'>,
): Promise<Outcome> {
  const { ownerReferences = [] } = live.metadata
  const isInCircle = [...node.dependents].some(({ propagation }) => propagation === 'foreground')
  if (isInCircle && ownerReferences.some(({ blockOwnerDeletion }) => blockOwnerDeletion)) {
    // Owner and dependent would wait for each other for ever. The deletion follows at the next look.
    const unblocked = ownerReferences.map(reference => ({ ...reference, blockOwnerDeletion: false }))
    await objects.patchMetadata(node, live, { ownerReferences: unblocked })
    return lookAgain
  }
  return (await objects.delete(node, live, 'Foreground')) ? undefined : lookAgain
}

/** Somebody may have said beforehand, through a finalizer, what is to happen to the dependents. */
function policyOf({ metadata: { finalizers = [] } }: ApiObject): 'Orphan' | 'Foreground' | 'Background' {
  if (finalizers.includes(orphanFinalizer)) return 'Orphan'
  return finalizers.includes(foregroundFinalizer) ? 'Foreground' : 'Background'
}

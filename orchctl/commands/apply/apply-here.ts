import type { ApiObject } from 'orch/sdk'
import { threeWayPatch } from '../../objects/merge-patch.js'
import type { Placed } from '../../objects/place-object.js'

/**
 * Applies without the server's help: compares what was applied last, which an annotation keeps, with what is wanted now
 * and what is there. Lists are replaced as a whole.
 */
export async function applyHere(
  { object, collection }: Placed,
  annotation: string,
  options: { dryRun: boolean; fieldManager: string },
): Promise<{ object: ApiObject; done: string }> {
  const { name = '', annotations: { [annotation]: _, ...annotations } = {}, ...metadata } = object.metadata
  const wanted = { ...object, metadata: { ...metadata, name, annotations } }
  const record = `${JSON.stringify(wanted)}\n`
  const marked = { ...wanted, metadata: { ...wanted.metadata, annotations: { ...annotations, [annotation]: record } } }
  const live = await collection.find(name)
  if (live === undefined) return { object: await collection.create(marked, options), done: 'created' }
  const patch = threeWayPatch(lastApplied(live, annotation), marked, live)
  if (patch === undefined) return { object: live, done: 'unchanged' }
  return { object: await collection.patch(name, patch, { ...options, type: 'merge' }), done: 'configured' }
}

function lastApplied(live: ApiObject, annotation: string): unknown {
  try {
    return JSON.parse(live.metadata.annotations?.[annotation] ?? '{}')
  } catch {
    // Somebody broke the record: nothing is known of the last apply, so nothing is removed.
    return {}
  }
}

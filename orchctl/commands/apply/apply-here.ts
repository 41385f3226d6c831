import type { ApiObject } from 'orch/sdk'
import { mergedBy, threeWayPatch } from '../../objects/merge-patch.js'
import type { Placed } from '../../objects/place-object.js'

interface ApplyHereOptions {
  readonly dryRun: 'server' | 'client' | 'none'
  readonly fieldManager: string
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore'
  /** False to predict a server-side apply, which stores no last-applied annotation. */
  readonly keepsRecord?: boolean
}

/**
 * Client-side apply: a three-way merge of the last applied configuration, which is stored in an annotation, the new one and the
 * live object. Lists are replaced as a whole.
 */
export async function applyHere(
  { object, collection }: Placed,
  annotation: string,
  { dryRun, fieldManager, fieldValidation, keepsRecord = true }: ApplyHereOptions,
): Promise<{ object: ApiObject; done: string }> {
  const { name = '', annotations: { [annotation]: _, ...annotations } = {}, ...metadata } = object.metadata
  const wanted = { ...object, metadata: { ...metadata, name, annotations } }
  const record = `${JSON.stringify(wanted)}\n`
  const marked = keepsRecord
    ? { ...wanted, metadata: { ...wanted.metadata, annotations: { ...annotations, [annotation]: record } } }
    : object
  const live = await collection.find(name)
  const options = { dryRun: dryRun === 'server', fieldManager, fieldValidation }
  const isLocal = dryRun === 'client'
  if (live === undefined)
    return { object: isLocal ? marked : await collection.create(marked, options), done: 'created' }
  const patch = threeWayPatch(lastApplied(live, annotation), marked, live)
  if (patch === undefined) return { object: live, done: 'unchanged' }
  const changed = isLocal ? mergedBy(patch, live) : await collection.patch(name, patch, { ...options, type: 'merge' })
  return { object: changed, done: 'configured' }
}

function lastApplied(live: ApiObject, annotation: string): unknown {
  try {
    return JSON.parse(live.metadata.annotations?.[annotation] ?? '{}')
  } catch {
    // The annotation is invalid: the last applied configuration is unknown, so nothing is removed.
    return {}
  }
}

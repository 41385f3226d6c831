import { type ApiObject, isRecord } from 'orch/sdk'
import { mergedBy } from '../../objects/apply-patch.js'
import { lastAppliedOf, withLastApplied } from '../../objects/last-applied.js'
import { threeWayPatch } from '../../objects/merge-patch.js'
import type { Placed } from '../../objects/place-object.js'

interface ApplyHereOptions {
  readonly dryRun: 'server' | 'client' | 'none'
  readonly fieldManager: string
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore'
  /** False to predict a server-side apply, which stores no last-applied annotation. */
  readonly keepsRecord?: boolean
  /** Whether the files win where others have changed the same fields. */
  readonly overwrites?: boolean
}

/**
 * Client-side apply: a three-way merge of the last applied configuration, which is stored in an annotation, the new one and the
 * live object. Lists are replaced as a whole.
 */
export async function applyHere(
  { object, collection }: Placed,
  annotation: string,
  { dryRun, fieldManager, fieldValidation, keepsRecord = true, overwrites = true }: ApplyHereOptions,
): Promise<{ object: ApiObject; done: string }> {
  const { name = '' } = object.metadata
  const marked = keepsRecord ? withLastApplied(object, annotation) : object
  const live = await collection.find(name)
  const options = { dryRun: dryRun === 'server', fieldManager, fieldValidation }
  const isLocal = dryRun === 'client'
  if (live === undefined)
    return { object: isLocal ? marked : await collection.create(marked, options), done: 'created' }
  const patch = threeWayPatch(lastAppliedOf(live, annotation) ?? {}, marked, live)
  const theirs = overwrites ? [] : changedByOthers(lastAppliedOf(live, annotation), live, object)
  if (theirs.length > 0)
    throw new Error(`others have changed ${theirs.join(', ')} of ${name}; --overwrite lets the file win`)
  if (patch === undefined) return { object: live, done: 'unchanged' }
  const changed = isLocal ? mergedBy(patch, live) : await collection.patch(name, patch, { ...options, type: 'merge' })
  return { object: changed, done: 'configured' }
}

/** Applied fields that others have changed since, and that the new configuration would change back. */
function changedByOthers(last: unknown, live: unknown, wanted: unknown, path = ''): string[] {
  if (isRecord(last) && isRecord(live))
    return Object.keys(last).flatMap(key =>
      changedByOthers(last[key], live[key], isRecord(wanted) ? wanted[key] : undefined, `${path}.${key}`),
    )
  const isSame = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right)
  return last === undefined || isSame(last, live) || isSame(wanted, live) || path.startsWith('.metadata.annotations')
    ? []
    : [path]
}

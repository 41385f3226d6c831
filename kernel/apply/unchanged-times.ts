import type { ApiObject } from 'orch/sdk'
import { sameJson } from '../../libs/json/index.js'
import type { InTurns } from '../contracts/in-turns.js'
import { entriesOf, type Ownership } from './managed-fields.js'

/**
 * The object to store if writing it changes nothing, and undefined if it changes something. Newer times in managedFields are
 * not a change: the stored entries are restored.
 */
export function* unchangedObject(stored: ApiObject, written: ApiObject): InTurns<ApiObject | undefined> {
  const before = entriesOf(stored) as readonly Ownership[]
  const after = entriesOf(written) as readonly Ownership[]
  if (before.length !== after.length) return undefined
  // Metadata last: most changes are to other fields, and managed fields take long to compare.
  if (!sameJson(stored, written, besidesContent)) return undefined
  yield
  if (!sameJson(stored.metadata, written.metadata, comparedSeparately)) return undefined
  if (sameJson(before, after)) return written
  yield
  if (!(yield* differOnlyInTimes(before, after))) return undefined
  return { ...written, metadata: { ...written.metadata, managedFields: stored.metadata.managedFields } }
}
/** Given by the type and the key, or compared separately. */
const besidesContent = new Set(['apiVersion', 'kind', 'metadata'])
const comparedSeparately = new Set(['managedFields', 'resourceVersion'])

/** Newer times may have changed the order, so entries are matched by their contents. */
function* differOnlyInTimes(before: readonly Ownership[], after: readonly Ownership[]): InTurns<boolean> {
  const untimed = new Map(before.map(entry => [identity(entry), entry]))
  for (const entry of after) {
    const match = untimed.get(identity(entry))
    if (match === undefined || !sameJson(match.fieldsV1, entry.fieldsV1)) return false
    yield
  }
  return true
}
const identity = ({ manager, operation, apiVersion, subresource }: Ownership) =>
  JSON.stringify([manager, operation, apiVersion, subresource ?? ''])

import type { ApiObject } from 'orch/sdk'
import { entriesOf, type Ownership } from './managed-fields.js'
import { sameJson } from './structured-merge/json-values.js'

/**
 * A write that only changes times in managedFields is not a change: the stored entries are restored, so that the object
 * equals the stored one and is not written. Call it on the object that is about to be stored.
 */
export function keepTimesIfUnchanged(stored: ApiObject, written: ApiObject): ApiObject {
  const before = entriesOf(stored) as readonly Ownership[]
  const after = entriesOf(written) as readonly Ownership[]
  if (before.length !== after.length || before.length === 0) return written
  // First, because most writes change something outside metadata.
  if (!isSameContent(stored, written) || sameJson(before, after)) return written
  // Newer times may have changed the order, so entries are matched by their contents.
  const untimed = new Map(before.map(entry => [identity(entry), entry]))
  for (const entry of after) {
    const match = untimed.get(identity(entry))
    if (match === undefined || !sameJson(match.fieldsV1, entry.fieldsV1)) return written
  }
  return { ...written, metadata: { ...written.metadata, managedFields: stored.metadata.managedFields } }
}

/** Whether both are equal, apart from managedFields and resourceVersion. */
const isSameContent = (stored: ApiObject, written: ApiObject): boolean =>
  sameJson(stored, written, metadata) && sameJson(stored.metadata, written.metadata, consequences)
const metadata = new Set(['metadata'])
const consequences = new Set(['managedFields', 'resourceVersion'])

const identity = ({ manager, operation, apiVersion, subresource }: Ownership) =>
  JSON.stringify([manager, operation, apiVersion, subresource ?? ''])

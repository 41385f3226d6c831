import type { ApiObject } from 'orch/sdk'
import { entriesOf, type Ownership } from './managed-fields.js'
import { sameJson } from './structured-merge/json-values.js'

/**
 * A write that changes nothing but the times in managedFields changes nothing at all: the object is given the stored
 * entries back, so that it equals the stored one and need not be written. Call it on what is about to be stored.
 */
export function keepTimesIfUnchanged(stored: ApiObject, written: ApiObject): ApiObject {
  const before = entriesOf(stored) as readonly Ownership[]
  const after = entriesOf(written) as readonly Ownership[]
  if (before.length !== after.length || before.length === 0) return written
  // First, because most writes do change something, and mostly in what is not metadata.
  if (!isSameContent(stored, written) || sameJson(before, after)) return written
  // Newer times may have changed the order, so that entries are matched by what they say.
  const untimed = new Map(before.map(entry => [identity(entry), entry]))
  for (const entry of after) {
    const match = untimed.get(identity(entry))
    if (match === undefined || !sameJson(match.fieldsV1, entry.fieldsV1)) return written
  }
  return { ...written, metadata: { ...written.metadata, managedFields: stored.metadata.managedFields } }
}

/** Do both say the same, apart from their owners and from the version, which follows from it? */
const isSameContent = (stored: ApiObject, written: ApiObject): boolean =>
  sameJson(stored, written, metadata) && sameJson(stored.metadata, written.metadata, consequences)
const metadata = new Set(['metadata'])
const consequences = new Set(['managedFields', 'resourceVersion'])

const identity = ({ manager, operation, apiVersion, subresource }: Ownership) =>
  JSON.stringify([manager, operation, apiVersion, subresource ?? ''])

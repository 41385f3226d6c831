import { type ApiObject, defineDifference, type Vendor } from 'orch/sdk'
import type { Revision } from 'orch/sdk/host'
import { unsetMetadata } from '../schema/unset-metadata.js'
import type { CompiledVersion } from '../types/compiled-version.js'
import type { ResourceType } from '../types/resource-type.js'

/** By the specification, a bookmark carries its version and nothing else. */
export const bookmarksAreEmptyObjects = defineDifference({
  name: 'bookmarks-are-empty-objects',
  since: '1.23',
  description: 'A bookmark shows an empty object of its type, with the fields that are always written.',
  knownFrom: 'probed',
})

/** On the bookmark that follows the last event of the initial state. */
const initialEventsEnd = (vendor: Vendor) => `${vendor.profile.groupDomain}/initial-events-end`

interface BookmarkMetadata {
  readonly resourceVersion: string
  readonly annotations?: Readonly<Record<string, string>>
}

export const bookmarkMetadata = (vendor: Vendor, revision: Revision, endsInitialState: boolean): BookmarkMetadata => ({
  resourceVersion: String(revision),
  ...(endsInitialState ? { annotations: { [initialEventsEnd(vendor)]: 'true' } } : {}),
})

/** An object of the type with a version and otherwise only the fields that are always written. */
export function emptyObject(
  vendor: Vendor,
  type: ResourceType,
  version: CompiledVersion,
  revision: Revision,
  endsInitialState: boolean,
): ApiObject {
  const metadata = { ...unsetMetadata(vendor.level), ...bookmarkMetadata(vendor, revision, endsInitialState) }
  const object = { metadata } as ApiObject
  if (type.conventions.bookmarksAreWhole) version.normalize(object)
  return object
}

/** The bookmark of a watch that shows whole objects. */
export function bookmarkOfType(
  vendor: Vendor,
  type: ResourceType,
  version: CompiledVersion,
  revision: Revision,
  endsInitialState: boolean,
): Bookmark {
  const names = { kind: type.kind, apiVersion: version.groupVersion }
  const metadata = bookmarkMetadata(vendor, revision, endsInitialState)
  if (!type.conventions.bookmarksAreWhole) return { ...names, metadata }
  if (vendor.level.has(bookmarksAreEmptyObjects))
    return { ...names, ...emptyObject(vendor, type, version, revision, endsInitialState) }
  return { ...names, metadata: { ...unsetMetadata(vendor.level), ...metadata } }
}

/** The bookmark of a watch that shows metadata. */
export const bookmarkOfMetadata = (
  vendor: Vendor,
  apiVersion: string,
  revision: Revision,
  endsInitialState: boolean,
): Bookmark => ({
  kind: 'PartialObjectMetadata',
  apiVersion,
  metadata: { ...unsetMetadata(vendor.level), ...bookmarkMetadata(vendor, revision, endsInitialState) },
})

interface Bookmark {
  readonly kind: string
  readonly apiVersion: string
  readonly metadata: object
}

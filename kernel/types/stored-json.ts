import type { ApiObject } from 'orch/sdk'
import { sameJson, writeJson } from '../../libs/json/index.js'

/** Objects and the bytes they are stored as: JSON that starts with metadata, without apiVersion, kind and resourceVersion. */

export function toStoredBody(object: ApiObject): Buffer {
  const { apiVersion: _, kind: __, metadata, ...rest } = object
  const { resourceVersion: ___, ...meta } = metadata
  return Buffer.from(writeJson({ metadata: meta, ...rest }))
}

/** The object of a stored body. Its metadata carries the resourceVersion the store inserted. */
export function fromStoredBody(body: Buffer): ApiObject {
  return JSON.parse(body.toString('utf8')) as ApiObject
}

/** Told by the type and its key, or compared apart. */
const besidesContent = new Set(['apiVersion', 'kind', 'metadata'])
const version = new Set(['resourceVersion'])

/** True when writing `draft` over `stored` would change nothing. */
export function isUnchanged(stored: ApiObject, draft: ApiObject): boolean {
  // Metadata last: most changes are to something else, and owners take long to compare.
  return sameJson(stored, draft, besidesContent) && sameJson(stored.metadata, draft.metadata, version)
}

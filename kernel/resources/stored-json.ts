import type { ApiObject } from 'orch/sdk'

/** Objects and the bytes they are stored as: JSON that starts with metadata, without apiVersion, kind and resourceVersion. */

export function toStoredBody(object: ApiObject): Buffer {
  const { apiVersion: _, kind: __, metadata, ...rest } = object
  const { resourceVersion: ___, ...meta } = metadata
  return Buffer.from(JSON.stringify({ metadata: meta, ...rest }))
}

/** The object of a stored body. Its metadata carries the resourceVersion the store inserted. */
export function fromStoredBody(body: Buffer): ApiObject {
  return JSON.parse(body.toString('utf8')) as ApiObject
}

/** Do two objects say the same? Order of keys does not matter, versions do not either. */
export function isSameContent(left: unknown, right: unknown, ignore?: string): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (Array.isArray(left) !== Array.isArray(right)) return false
  const leftKeys = Object.keys(left).filter(
    key => key !== ignore && (left as Record<string, unknown>)[key] !== undefined,
  )
  const rightKeys = Object.keys(right).filter(
    key => key !== ignore && (right as Record<string, unknown>)[key] !== undefined,
  )
  if (leftKeys.length !== rightKeys.length) return false
  return leftKeys.every(
    key =>
      Object.hasOwn(right, key) &&
      isSameContent((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key]),
  )
}

/** True when writing `draft` over `stored` would change nothing. */
export function isUnchanged(stored: ApiObject, draft: ApiObject): boolean {
  if (!isSameContent(stored.metadata, draft.metadata, 'resourceVersion')) return false
  const { metadata: _, apiVersion: __, kind: ___, ...storedRest } = stored
  const { metadata: ____, apiVersion: _____, kind: ______, ...draftRest } = draft
  return isSameContent(storedRest, draftRest)
}

import { type ApiObject, tooLarge } from 'orch/sdk'
import { toStoredBody } from '../types/stored-json.js'
import type { WriteTarget } from './write-target.js'

/** The outcome of a write: the body as stored, of the storage version. */
export interface Written {
  readonly body: Buffer
  readonly isCreated: boolean
}

/** A body that is not stored but answered: its version is that of the stored object. */
export function withVersion(draft: ApiObject, stored: ApiObject): Buffer {
  const { apiVersion: _, kind: __, metadata, ...rest } = draft
  const { resourceVersion: ___, ...meta } = metadata
  return Buffer.from(
    JSON.stringify({ metadata: { resourceVersion: stored.metadata.resourceVersion, ...meta }, ...rest }),
  )
}

/** The object as it is stored. One that is too large with its owners goes without them, unless it was applied: then they are the point. */
export function bodyToStore(target: WriteTarget, draft: ApiObject, isApplied: boolean): Buffer {
  const limit = target.services.limits.objectBytes
  const body = toStoredBody(draft)
  if (body.length <= limit) return body
  if (isApplied || !draft.metadata.managedFields) {
    throw tooLarge(`the object is too large to be stored: ${body.length} bytes, limit is ${limit}`)
  }
  const { managedFields: _, ...metadata } = draft.metadata
  return bodyToStore(target, { ...draft, metadata }, isApplied)
}

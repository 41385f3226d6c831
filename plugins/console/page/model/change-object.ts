import { requestJson } from './api.js'
import { type ObjectPath, segment } from './paths.js'

export interface Change {
  readonly method: 'PUT' | 'PATCH' | 'DELETE'
  readonly body: unknown
  /** The media type of the body; JSON by default. */
  readonly contentType?: string
  readonly subresource?: string
  readonly query?: Readonly<Record<string, string>>
  readonly isDryRun?: boolean
}

export const mergePatch = 'application/merge-patch+json'
export const applyPatch = 'application/apply-patch+yaml'

/** Changes or deletes one object, optionally as a dry run. */
export function changeObject<T>(path: ObjectPath, change: Change): Promise<T> {
  const { method, body, contentType = 'application/json', subresource, query = {}, isDryRun = false } = change
  // If a deletion has options in its body, the server ignores those in the query.
  const isInBody = isDryRun && method === 'DELETE'
  const search = new URLSearchParams({ ...query, ...(isDryRun && !isInBody ? { dryRun: 'All' } : {}) }).toString()
  const below = subresource === undefined ? '' : `/${segment('a subresource', subresource)}`
  return requestJson<T>(`${path}${below}${search && `?${search}`}`, {
    method,
    headers: { 'Content-Type': contentType },
    body: JSON.stringify(isInBody ? { ...(body as object), dryRun: ['All'] } : body),
  })
}

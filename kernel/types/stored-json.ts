import { type ApiObject, andThen } from 'orch/sdk'
import { parseInTurns, sameJson, writeInTurns, writeJson } from '../../libs/json/index.js'
import { runInTurns, type TurnTaker } from '../contracts/in-turns.js'

/**
 * The stored bytes of an object: JSON that starts with metadata, without apiVersion, kind and resourceVersion. A request yields to others
 * while it writes a large one.
 */
export function toStoredBody(object: ApiObject): Buffer
export function toStoredBody(object: ApiObject, request: TurnTaker): Buffer | Promise<Buffer>
export function toStoredBody(object: ApiObject, request?: TurnTaker): Buffer | Promise<Buffer> {
  const { apiVersion: _, kind: __, metadata, ...rest } = object
  const { resourceVersion: ___, ...meta } = metadata
  const stored = { metadata: meta, ...rest }
  if (!request?.isLarge) return Buffer.from(writeJson(stored))
  return andThen(runInTurns(request, writeInTurns(stored)), text => Buffer.from(text))
}

/** The object of a stored body. Its metadata carries the resourceVersion the store inserted. */
export function fromStoredBody(body: Buffer): ApiObject {
  return JSON.parse(body.toString('utf8'))
}

/** The same for a request, which yields to others while it parses a large object. */
export const fromStoredBodyOf = (request: TurnTaker, body: Buffer): ApiObject | Promise<ApiObject> =>
  request.isLarge
    ? andThen(runInTurns(request, parseInTurns(body.toString('utf8'))), value => value as ApiObject)
    : fromStoredBody(body)

/** Given by the type and the key, or compared separately. */
const besidesContent = new Set(['apiVersion', 'kind', 'metadata'])
const version = new Set(['resourceVersion'])

/** True when writing `draft` over `stored` would change nothing. */
export function isUnchanged(stored: ApiObject, draft: ApiObject): boolean {
  // Metadata last: most changes are to other fields, and managed fields take long to compare.
  return sameJson(stored, draft, besidesContent) && sameJson(stored.metadata, draft.metadata, version)
}

import { ApiFailure, type ApiObject, failureOf, jsonLines, request, requestJson } from './api.js'
import { collectionPath } from './paths.js'
import type { ResourceType } from './resource-type.js'

/** A version of an object that the store still has. */
export interface ObjectVersion {
  readonly version: string
  readonly object: ApiObject
  /** The writer, if managedFields contains it. */
  readonly what: string
  readonly time: string | undefined
}

const mostVersions = 200

/**
 * Reads the history of the object by a watch from the oldest revision that the store has. Thus exactly those who may watch the
 * object may see its history. A list at that revision has the version before.
 */
export async function versionsOf(type: ResourceType, { metadata }: ApiObject): Promise<ObjectVersion[]> {
  const collection = collectionPath(type, metadata.namespace)
  const query = `fieldSelector=${encodeURIComponent(`metadata.name=${metadata.name}`)}`
  const oldest = await oldestRevision(`${collection}?${query}`)
  const first = await requestJson(`${collection}?${query}&resourceVersion=${oldest}&resourceVersionMatch=Exact`).catch(
    () => undefined,
  )
  const objects = new Map<string, ApiObject>()
  const add = (object: ApiObject) => {
    if (object.metadata.uid === metadata.uid) objects.set(object.metadata.resourceVersion, object)
  }
  for (const object of first?.items ?? []) add({ apiVersion: first.apiVersion, kind: type.kind, ...object })
  const response = await request(`${collection}?${query}&watch=true&resourceVersion=${oldest}&timeoutSeconds=1`)
  if (!response.ok) throw await failureOf(response)
  for await (const { type: kind, object } of jsonLines(response))
    if (kind !== 'ERROR' && kind !== 'BOOKMARK') add(object)
  const all = [...objects.values()].slice(-mostVersions)
  return all.map((object, at) => ({
    version: object.metadata.resourceVersion,
    object,
    ...writerOf(object, all[at - 1]),
  }))
}

/** The error for a revision that was compacted contains the oldest available one. */
async function oldestRevision(collection: string): Promise<string> {
  try {
    await requestJson(`${collection}&limit=1&resourceVersion=1&resourceVersionMatch=Exact`)
    return '1'
  } catch (failure) {
    const oldest = failure instanceof ApiFailure ? /\((\d+)\)/.exec(failure.message)?.[1] : undefined
    if (oldest === undefined) throw failure
    return oldest
  }
}

function writerOf(object: ApiObject, before: ApiObject | undefined): { what: string; time: string | undefined } {
  const entries = object.metadata.managedFields ?? []
  const earlier = new Set((before?.metadata.managedFields ?? []).map(entry => JSON.stringify(entry)))
  const fresh = entries.filter(entry => !earlier.has(JSON.stringify(entry)))
  const [latest] = [...(fresh.length > 0 ? fresh : entries)].sort((left, right) =>
    (right.time ?? '').localeCompare(left.time ?? ''),
  )
  return {
    what: latest ? `${latest.manager}${latest.subresource ? ` (${latest.subresource})` : ''}` : 'unknown',
    time: latest?.time,
  }
}

import { ApiError, type ApiObject, badRequest } from 'orch/sdk'
import { bodiesOf, type ListChunk, type Revision } from 'orch/sdk/host'
import type { Representation } from '../contracts/representation.js'
import { fromStoredBody } from '../types/stored-json.js'
import { deleteObject } from './delete.js'
import { type DeleteRequestOptions, readDeleteOptions, unreadableOption } from './delete-options.js'
import { type OpenPage, openPage, respondPage } from './list.js'
import { type ListOptions, parseListOptions, readingPage } from './list-options.js'
import type { VerbRequest } from './verb.js'

/** How many objects are deleted at once: enough to share commits, few enough to leave room for others. */
const parallelDeletes = 128

/** DELETE of a collection: every selected object, as if each had been deleted by name. Kubernetes responds with what was listed. */
export async function removeCollection(request: VerbRequest): Promise<void> {
  const { services, context, type, version } = request
  const representation = services.representations.negotiate(context, type, version)
  context.representation = representation
  const listOptions = await parseListOptions(services, context, type, version)
  const options = await readDeleteOptions(services, context, type.definition.deletion?.propagationWarning)
  if (options.ignoresReadErrors && services.limits.deletesUnreadable)
    throw badRequest(`${unreadableOption} is not allowed with DELETECOLLECTION, try again after removing the option`)
  return readingPage(request, listOptions, () => removePage(request, options, listOptions, representation))
}

async function removePage(
  request: VerbRequest,
  options: DeleteRequestOptions,
  listOptions: ListOptions,
  representation: Representation,
): Promise<void> {
  const { services, context } = request
  const page = await openPage(request, listOptions)
  const answersWithList = services.vendor.profile.deleteCollectionAnswer === 'list'
  // What the response lists is kept as bytes: objects would cost the garbage collector more than their deletion.
  const listed: ListChunk[] = []
  let batch: ApiObject[] = []
  // One by one while webhooks are called: they see the objects in order.
  let atOnce = 1
  const flush = async () => {
    const calledWebhooks = await Promise.all(batch.map(object => deleteOne(request, object, options)))
    atOnce = calledWebhooks.includes(true) ? 1 : parallelDeletes
    batch = []
  }
  for await (const chunk of page.items) {
    const selected = await selectedOf(request, chunk, listOptions)
    if (answersWithList) listed.push(chunk)
    else chunk.release?.()
    for (const object of selected) {
      batch.push(object)
      if (batch.length >= atOnce) await flush()
    }
  }
  await flush()
  if (answersWithList) return respondPage(request, listOptions, representation, openAgain(page.revision, listed))
  return services.representations.respondStatus(context, 200, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    code: 200,
  })
}

/** The page as it was listed before its objects were deleted. */
const openAgain =
  (revision: Revision, listed: readonly ListChunk[]): OpenPage =>
  ({ after } = {}) => {
    // A response is continued after a chunk. Its memory is not returned, as it may be read again.
    const start = after === undefined ? 0 : listed.findIndex(({ lastKey }) => lastKey === after) + 1
    return { revision, items: listed.slice(start).map(({ release: _, ...chunk }) => chunk) }
  }

/** The stored objects of a chunk that are selected. */
async function selectedOf(
  { type, version }: VerbRequest,
  chunk: ListChunk,
  { selection: { matches } }: ListOptions,
): Promise<readonly ApiObject[]> {
  const stored = [...bodiesOf(chunk)].map(fromStoredBody)
  if (!matches) return stored
  const converted = await type.inVersion(stored, version)
  return stored.filter((_, index) => matches(converted[index]!))
}

/** Deletes one of many; one that was deleted meanwhile is fine. Returns whether a webhook was called. */
async function deleteOne(request: VerbRequest, object: ApiObject, options: DeleteRequestOptions): Promise<boolean> {
  try {
    return (await deleteObject(request, object.metadata.name ?? '', options, { object })).calledWebhook
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.code === 404) return false
    throw thrown
  }
}

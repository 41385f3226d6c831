import type { ApiObject, ListChunk, ListPage, Revision } from 'orch/sdk'
import type { ResponseStream } from '../http/exchange.js'
import { bodiesOf } from '../storage/bodies-of.js'
import { type ListOptions, makeToken, parseListOptions, tooOld } from './list-options.js'
import { fromStoredBody } from './stored-json.js'
import type { VerbRequest } from './verb.js'

/** GET of a collection. Without selector, view or conversion it is a stream of stored bytes. */
export async function list(request: VerbRequest): Promise<void> {
  const { services, context, type, version } = request
  const representation = services.representations.negotiate(context, type, version)
  context.representation = representation
  const options = await parseListOptions(services, context, type)
  const page = await openPage(request, options)
  const isByteStream =
    representation.format === 'json' && representation.as === 'object' && version.isStorage && !context.isPretty
  if (isByteStream) return streamList(request, page, options)
  if (representation.format === 'protobuf' && representation.as === 'object')
    return streamProtobufList(request, page, options)
  const collected = await collect(request, page, options)
  await services.representations.respondList(context, type, version, collected.metadata, collected.objects)
}

export async function openPage(
  { services, context, type }: Pick<VerbRequest, 'services' | 'context' | 'type'>,
  options: ListOptions,
): Promise<ListPage> {
  const { namespace } = context.info
  const { selection } = options
  const inNamespace = namespace !== '' ? namespace : type.namespaced ? (selection.namespace ?? '') : ''
  const isOneKey = selection.name && (inNamespace !== '' || !type.namespaced)
  // Other names may begin with this one; the filter leaves them out.
  const prefix = isOneKey ? type.key(inNamespace, selection.name) : type.collectionPrefix(inNamespace)
  if (options.revision !== undefined && options.revision < services.store.compactedRevision()) {
    throw tooOld(options.revision, services.store.compactedRevision())
  }
  return services.store.list({
    prefix,
    ...(options.after === undefined ? {} : { after: options.after }),
    ...(options.revision === undefined ? {} : { revision: options.revision }),
    ...(options.limit > 0 ? { limit: options.limit } : {}),
    ...(selection.filter ? { filter: selection.filter } : {}),
  })
}

interface ListMeta {
  readonly resourceVersion: string
  readonly continue?: string
  readonly remainingItemCount?: number
}

/** Metadata of the list; known only when the last chunk is. */
export function listMeta(
  { context, type }: VerbRequest,
  revision: Revision,
  options: ListOptions,
  last: ListChunk | undefined,
): ListMeta {
  if (!last?.more) return { resourceVersion: String(revision) }
  const hasSelection = options.selection.filter !== undefined
  return {
    resourceVersion: String(revision),
    continue: makeToken(revision, type, context.info.namespace, last.lastKey),
    ...(hasSelection || last.remaining === undefined ? {} : { remainingItemCount: last.remaining }),
  }
}

const comma = Buffer.from(',')

/** Up to so many bytes of a page with a limit are held back until its metadata is known. */
const heldBytes = 8 * 1024 * 1024

/**
 * Writes bodies as they come, after the metadata, where clients that look only at the beginning expect it. Whether a page
 * with a limit is the last one is known only at its end, so it is held back; one too large for that gets its metadata last.
 */
async function streamList(request: VerbRequest, page: ListPage, options: ListOptions): Promise<void> {
  const { context } = request
  const isCut = options.limit > 0
  const open = listStart(request)
  const metadata = (last: ListChunk | undefined) =>
    `"metadata":${JSON.stringify(listMeta(request, page.revision, options, last))}`
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache, private' }
  const pending: Buffer[] = isCut ? [] : [Buffer.from(`${open}${metadata(undefined)},"items":[`)]
  let pendingBytes = 0
  let stream: ResponseStream | undefined
  let last: ListChunk | undefined
  let hasItems = false
  try {
    for await (const chunk of page.items) {
      last = chunk
      if (chunk.count === 0) continue
      if (hasItems) pending.push(comma)
      hasItems = true
      pending.push(chunk.joined)
      pendingBytes += chunk.joined.length
      // The first chunk waits for the second: most lists are one chunk and go out whole, with their length.
      if (!stream && (isCut ? pendingBytes <= heldBytes : pending.length <= 2)) continue
      if (!stream && isCut) pending.unshift(Buffer.from(`${open}"items":[`))
      stream ??= context.exchange.stream(200, headers)
      if (!writeAll(stream, pending)) await stream.drained()
      if (stream.isClosed) return
    }
  } catch (failure) {
    // The answer has begun, so it cannot become an error; but the client must not take half of it for all, nor wait for more.
    stream?.destroy()
    throw failure
  }
  if (stream) {
    pending.push(Buffer.from(isCut ? `],${metadata(last)}}\n` : ']}\n'))
    writeAll(stream, pending)
    return stream.end()
  }
  if (isCut) pending.unshift(Buffer.from(`${open}${metadata(last)},"items":[`))
  pending.push(Buffer.from(']}\n'))
  context.exchange.send(200, headers, Buffer.concat(pending))
}

const listStart = ({ type, version }: VerbRequest): string =>
  `{"kind":${JSON.stringify(`${type.kind}List`)},"apiVersion":${JSON.stringify(version.groupVersion)},`

function writeAll(stream: ResponseStream, pending: Buffer[]): boolean {
  let isReady = true
  for (const chunk of pending) isReady = stream.write(chunk)
  pending.length = 0
  return isReady
}

async function collect(request: VerbRequest, page: ListPage, options: ListOptions) {
  const { type, version } = request
  const objects = []
  let last: ListChunk | undefined
  for await (const chunk of page.items) {
    last = chunk
    for (const body of bodiesOf(chunk)) objects.push(type.fromStorage(fromStoredBody(body), version))
  }
  return { objects, metadata: listMeta(request, page.revision, options, last) }
}

/** The envelope of a Protobuf list states its length first, so the store may be read twice, at one revision. */
async function streamProtobufList(request: VerbRequest, page: ListPage, options: ListOptions): Promise<void> {
  const { services, context, type, version } = request
  let last: ListChunk | undefined
  let isFirst = true
  const batches = async function* () {
    const source = isFirst ? page : await openPage(request, { ...options, revision: page.revision })
    isFirst = false
    for await (const chunk of source.items) {
      last = chunk
      yield objectsOf(request, chunk)
    }
  }
  // Only a page that is cut off needs its end before its metadata; it is small by the client's own choice.
  if (options.limit > 0) {
    const collected: ApiObject[] = []
    for await (const objects of batches()) collected.push(...objects)
    const metadata = listMeta(request, page.revision, options, last)
    return services.representations.streamProtobufList(context, type, version, metadata, () => [collected])
  }
  await services.representations.streamProtobufList(
    context,
    type,
    version,
    listMeta(request, page.revision, options, undefined),
    batches,
  )
}

function* objectsOf({ type, version }: VerbRequest, chunk: ListChunk): Iterable<ApiObject> {
  for (const body of bodiesOf(chunk)) yield type.fromStorage(fromStoredBody(body), version)
}

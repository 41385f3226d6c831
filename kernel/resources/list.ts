import { type ApiObject, andThen, isPromise } from 'orch/sdk'
import { bodiesOf, CompactedError, type ListChunk, type ListPage, type Revision } from 'orch/sdk/host'
import { writeJson } from '../../libs/json/index.js'
import { truncatedAnnotation } from '../contracts/audit-level.js'
import type { ResponseStream } from '../contracts/exchange.js'
import type { Representation } from '../contracts/representation.js'
import type { RequestContext } from '../contracts/request-context.js'
import { listItem } from '../representation/list-text.js'
import { fromStoredBody, fromStoredBodyOf } from '../types/stored-json.js'
import { type ListOptions, makeToken, negotiateList, parseListOptions, readingPage, tooOld } from './list-options.js'
import type { VerbRequest } from './verb.js'

/** GET of a collection. Without selector, view or conversion it is a stream of stored bytes. */
export async function list(request: VerbRequest): Promise<void> {
  const { services, context, type, version } = request
  const representation = negotiateList(request)
  context.representation = representation
  const options = await parseListOptions(services, context, type, version)
  const open: OpenPage = again => openPage(request, { ...options, ...again })
  return readingPage(request, options, () => respondPage(request, options, representation, open))
}

/** Opens the page of a response. To read it, or its end, again, these options replace those of the request. */
export type OpenPage = (
  again?: Partial<Pick<ListOptions, 'revision' | 'after' | 'limit'>>,
) => ListPage | Promise<ListPage>

/** Responds with a page in the negotiated form. */
export async function respondPage(
  request: VerbRequest,
  options: ListOptions,
  representation: Representation,
  open: OpenPage,
): Promise<void> {
  const { services, context, type, version } = request
  let page = await open()
  if (context.audit.recordsAnswer) {
    // The audit log records the response in any form, so it is built from objects.
    const answered = await collect(request, page, options, auditedBytes)
    if (answered)
      return services.representations.respondList(context, type, version, answered.metadata, answered.objects)
    context.annotate(truncatedAnnotation(services.vendor), 'true')
    page = await open({ revision: page.revision })
  }
  const isByteStream =
    representation.format === 'json' && representation.as === 'object' && version.isStoredAsIs && !context.isPretty
  if (isByteStream) return streamList(request, page, options, chunk => storedItems(request, chunk))
  if (representation.format === 'protobuf' && representation.as === 'object')
    return streamProtobufList(request, page, options, open)
  if (representation.format === 'yaml' && representation.as === 'object') return streamYamlList(request, page, options)
  if (representation.format === 'json') {
    const { print } = services.representations.listForm(context, type, version)
    return streamList(request, page, options, chunk =>
      andThen(objectsOf(request, chunk, options), objects => andThen(print(objects), text => Buffer.from(text))),
    )
  }
  const { metadata, objects } = (await collect(request, page, options))!
  await services.representations.respondList(context, type, version, metadata, objects)
}

export async function openPage(
  { services, context, type }: Pick<VerbRequest, 'services' | 'context' | 'type'>,
  options: ListOptions,
): Promise<ListPage> {
  const { namespace } = context.info
  const { selection } = options
  const inNamespace = namespace !== '' ? namespace : type.namespaced ? (selection.namespace ?? '') : ''
  const isOneKey = selection.name && (inNamespace !== '' || !type.namespaced)
  // Other names may start with this one; the filter removes them.
  const prefix = isOneKey ? type.key(inNamespace, selection.name) : type.collectionPrefix(inNamespace)
  const compacted = services.store.compactedRevision()
  if (options.revision !== undefined && options.revision < compacted)
    throw options.after === undefined ? tooOld(options.revision, compacted) : new CompactedError(compacted)
  return services.store.list({
    prefix,
    ...(options.after === undefined ? {} : { after: options.after }),
    ...(options.revision === undefined ? {} : { revision: options.revision }),
    ...(options.notOlderThan === undefined ? {} : { notOlderThan: options.notOlderThan }),
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
function listMeta(
  { context, type }: VerbRequest,
  revision: Revision,
  options: ListOptions,
  last: ListChunk | undefined,
): ListMeta {
  // Kubernetes writes an empty token in lists of custom resources.
  const isOpen = type.conventions.writesEmptyContinue && context.representation?.as === 'object'
  if (!last?.more) return { ...(isOpen ? { continue: '' } : {}), resourceVersion: String(revision) }
  const hasSelection = (options.selection.filter ?? options.selection.matches) !== undefined
  return {
    resourceVersion: String(revision),
    continue: makeToken(revision, type, context.info.namespace, last.lastKey),
    ...(hasSelection || last.remaining === undefined ? {} : { remainingItemCount: last.remaining }),
  }
}

/** The audit event of a longer list omits it, to protect the log and the memory of the server. */
const auditedBytes = 8 * 1024 * 1024
const comma = Buffer.from(',')

/** Bytes of a response, and a callback for when they are no longer needed. */
interface Piece {
  readonly bytes: Buffer
  readonly written?: ListChunk['release']
}
const textPiece = (text: string): Piece => ({ bytes: Buffer.from(text) })

/** Up to this many bytes of a page with a limit are held back until its metadata is known. */
const heldBytes = 8 * 1024 * 1024

/**
 * Writes items as they come, after the metadata, where clients that look only at the beginning expect it. Whether a page
 * with a limit is the last one is known only at its end, so it is held back; one too large for that gets its metadata last.
 */
async function streamList(
  request: VerbRequest,
  page: ListPage,
  options: ListOptions,
  itemsOf: (chunk: ListChunk) => Buffer | Promise<Buffer>,
): Promise<void> {
  const { services, context, type, version } = request
  const { exchange } = context
  const isCut = options.limit > 0
  const { text } = services.representations.listForm(context, type, version)
  const metadata = (last: ListChunk | undefined) => listMeta(request, page.revision, options, last)
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache, private' }
  const pending: Piece[] = isCut ? [] : [textPiece(text.begin(metadata(undefined)))]
  let pendingBytes = 0
  let stream: ResponseStream | undefined
  let last: ListChunk | undefined
  let hasItems = false
  try {
    for await (const chunk of page.items) {
      last = chunk
      if (chunk.count === 0) continue
      const encoding = itemsOf(chunk)
      const items = isPromise(encoding) ? await encoding : encoding
      if (hasItems) pending.push({ bytes: comma })
      hasItems = true
      pending.push({ bytes: items, written: chunk.release })
      pendingBytes += items.length
      // The first chunk waits for the second: most lists are one chunk, and are sent whole, with their length.
      const mayWait = isCut ? pendingBytes <= heldBytes && exchange.hold(items.length) : pending.length <= 2
      if (!stream && mayWait) continue
      if (!stream && isCut) pending.unshift(textPiece(text.begin(undefined)))
      stream ??= exchange.stream(200, headers)
      if (!writeAll(stream, pending)) await stream.drained()
      if (stream.isClosed) return
    }
  } catch (failure) {
    // The response has begun, so it cannot become an error; but the client must neither take it as complete nor wait for more.
    stream?.destroy()
    throw failure
  }
  if (stream) {
    pending.push(textPiece(text.end(hasItems, isCut ? metadata(last) : undefined)))
    writeAll(stream, pending)
    return stream.end()
  }
  if (isCut) pending.unshift(textPiece(text.begin(metadata(last))))
  pending.push(textPiece(text.end(hasItems, undefined)))
  const whole = Buffer.concat(pending.map(({ bytes }) => bytes))
  for (const { written } of pending) written?.()
  exchange.send(200, headers, whole)
}

function writeAll(stream: ResponseStream, pending: Piece[]): boolean {
  let isReady = true
  for (const { bytes, written } of pending) isReady = stream.write(bytes, written)
  pending.length = 0
  return isReady
}

/** All objects of a page; undefined when they exceed this many bytes. */
async function collect(request: VerbRequest, page: ListPage, options: ListOptions, maxBytes?: number) {
  const { as } = request.context.representation!
  const showsAll = as === 'object' || as === 'Table'
  const objects: ApiObject[] = []
  let bytes = 0
  let last: ListChunk | undefined
  for await (const chunk of page.items) {
    last = chunk
    bytes += chunk.joined.length
    if (maxBytes !== undefined && bytes > maxBytes) return undefined
    for (const object of await objectsOf(request, chunk, options))
      objects.push(showsAll ? object : { metadata: object.metadata })
  }
  return { objects, metadata: listMeta(request, page.revision, options, last) }
}

/** The envelope of a Protobuf list states its length first, so the end of a long one is read twice, at one revision. */
async function streamProtobufList(
  request: VerbRequest,
  page: ListPage,
  options: ListOptions,
  open: OpenPage,
): Promise<void> {
  const { services, context, type, version } = request
  const { protobuf } = services.representations
  let last: ListChunk | undefined
  let isFirst = true
  const batches = async function* (after: string | undefined) {
    const again = { revision: page.revision, limit: 0, ...(after === undefined ? {} : { after }) }
    const source = isFirst ? page : await open(again)
    isFirst = false
    for await (const chunk of source.items) {
      last = chunk
      const items = version.isStoredAsIs
        ? protobuf.encodeStoredItems(version, chunk)
        : protobuf.encodeItems(version, await objectsOf(request, chunk, options))
      chunk.release?.()
      yield { ...items, lastKey: chunk.lastKey }
    }
  }
  const metadata = () => listMeta(request, page.revision, options, last)
  await services.representations.streamProtobufList(context, type, version, metadata, batches)
}

/** In YAML keys are sorted, so the metadata comes last and nothing has to be held back. */
function streamYamlList(request: VerbRequest, page: ListPage, options: ListOptions): Promise<void> {
  const { services, context, type, version } = request
  let last: ListChunk | undefined
  const batches = async function* () {
    for await (const chunk of page.items) {
      last = chunk
      if (chunk.count === 0) continue
      yield version.isStoredAsIs
        ? `[${storedItems(request, chunk).toString('utf8')}]`
        : writeJson((await objectsOf(request, chunk, options)).map(listItem(type, version)))
    }
  }
  const metadata = () => listMeta(request, page.revision, options, last)
  return services.representations.streamYamlList(context, type, version, batches(), metadata)
}

/** Stored objects with commas between them, with kind and apiVersion for custom resources. */
function storedItems({ type, version }: VerbRequest, chunk: ListChunk): Buffer {
  if (!type.conventions.objectsNameTheirType) return chunk.joined
  const parts: Buffer[] = []
  for (const body of bodiesOf(chunk)) {
    if (parts.length > 0) parts.push(comma)
    parts.push(version.jsonStart, body.subarray(1))
  }
  return Buffer.concat(parts)
}

const objectsOf = (
  { context, type, version }: VerbRequest,
  chunk: ListChunk,
  { selection: { matches } }: ListOptions,
): readonly ApiObject[] | Promise<readonly ApiObject[]> =>
  andThen(allFromStored(context, [...bodiesOf(chunk)]), stored =>
    andThen(type.inVersion(stored, version), objects => (matches ? objects.filter(matches) : objects)),
  )

/** Large objects are read in turns. */
function allFromStored(context: RequestContext, bodies: readonly Buffer[]): ApiObject[] | Promise<ApiObject[]> {
  for (const body of bodies) context.noteBodySize(body)
  return context.isLarge ? allInTurns(context, bodies) : bodies.map(fromStoredBody)
}
async function allInTurns(context: RequestContext, bodies: readonly Buffer[]): Promise<ApiObject[]> {
  const objects: ApiObject[] = []
  for (const body of bodies) objects.push(await fromStoredBodyOf(context, body))
  return objects
}

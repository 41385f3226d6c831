import { badRequest } from 'orch/sdk'
import { CompactedError, type Revision } from 'orch/sdk/host'
import type { ResponseStream } from '../contracts/exchange.js'
import { isTrueParameter } from '../contracts/request-info.js'
import { parseIncludeObject } from '../representation/table.js'
import { statusOf, toApiError } from '../representation/write-status.js'
import { type EventEncoder, eventEncoder } from '../watch/event-encoder.js'
import { selectEvent } from '../watch/watch-event.js'
import type { WatchGroupKey } from '../watch/watch-group.js'
import { wantsSocket, watchSocket } from '../watch/watch-socket.js'
import { Watcher } from '../watch/watcher.js'
import { openPage } from './list.js'
import { negotiateList, readPaging, tooOld } from './list-options.js'
import { parseSelection, type Selection } from './selection.js'
import type { VerbRequest } from './verb.js'
import { parseVersion, waitForRevision } from './versions.js'

/** Replayed events are written in pieces of about this size. */
const replayPieceBytes = 64 * 1024

/** GET with `watch`: a stream of events of a collection, a namespace or one object. */
export async function watch(request: VerbRequest): Promise<void> {
  const { services, context, type, version } = request
  const { query } = context.info
  const representation = negotiateList(request, true)
  context.representation = representation
  const timeoutMs = watchTimeoutMs(request)
  const selection = watchedSelection(request)
  const start = readStart(request)
  const include = representation.as === 'Table' ? parseIncludeObject(query) : 'Metadata'
  const encoder = eventEncoder(
    services.representations,
    representation,
    type,
    version,
    include,
    services.vendor.metaGroup,
  )
  const contentType =
    representation.format === 'protobuf' ? `${representation.contentType};stream=watch` : 'application/json'
  const headers = { 'Content-Type': contentType, 'Cache-Control': 'no-cache, private' }
  const { exchange } = context
  const stream = wantsSocket(exchange)
    ? watchSocket(exchange, representation.format !== 'protobuf')
    : exchange.stream(200, headers, true)
  const now = services.clock.now()
  const watcher = new Watcher(stream, encoder, services.limits.watchBufferBytes, start.version ?? 0, now + timeoutMs)
  watcher.onEnd(services.clock.after(timeoutMs, () => watcher.end('timeout')))
  try {
    await bringUpToDate(request, watcher, groupKey(request, selection, encoder), start, selection)
    if (isTrueParameter(query, 'allowWatchBookmarks')) services.hub.bookmark(watcher)
  } catch (thrown) {
    endWithError(stream, watcher, encoder, thrown)
  }
}

/** How a watch begins. */
interface Start {
  /** The version that was asked for: undefined for the newest, 0 for any. */
  readonly version: Revision | undefined
  /** Whether it begins with the state, as ADDED events. */
  readonly sendsState: boolean
  /** Whether a marked bookmark follows the state. */
  readonly marksEnd: boolean
}

/** Without sendInitialEvents, a watch begins with the state unless it names a version. */
function readStart({ services, context }: VerbRequest): Start {
  const { query } = context.info
  const text = query.get('resourceVersion') ?? ''
  const version = text === '' ? undefined : parseVersion(text)
  const { streamsLists } = services.limits
  const sendsState =
    streamsLists && query.has('sendInitialEvents') ? isTrueParameter(query, 'sendInitialEvents') : !version
  return { version, sendsState, marksEnd: streamsLists && sendsState && isTrueParameter(query, 'allowWatchBookmarks') }
}

/** A path with a name selects by that name. */
function watchedSelection({ type, version, context }: VerbRequest): Selection {
  const { query, name } = context.info
  const fieldSelector = query.get('fieldSelector') ?? ''
  const byName = name === '' ? '' : `metadata.name=${name.replace(/[\\,=]/g, '\\$&')}`
  const selection = parseSelection(type, version, query.get('labelSelector') ?? '', fieldSelector || byName)
  if (name !== '' && selection.name !== name)
    throw badRequest("fieldSelector metadata.name doesn't match requested name")
  if (!selection.matches) return selection
  // Events are selected as they happen, by stored attributes.
  const { storedFilter: filter } = selection
  if (!filter)
    throw badRequest(
      `a watch of ${version.name} can be selected by metadata only, because its objects are converted: watch ${type.storage.name}`,
    )
  return { ...selection, filter }
}

function watchTimeoutMs({ services, context }: VerbRequest): number {
  const { timeoutSeconds: seconds } = readPaging(services, context.info.query, true)
  // A watch whose time-out has already passed ends at once.
  if (seconds !== 0) return Math.max(0, Math.min(seconds * 1000, 2 ** 31 - 1))
  // Spread the ends of many watches that began together.
  return Math.floor(services.limits.minWatchTimeoutMs * (1 + Math.random()))
}

function groupKey({ context, type }: VerbRequest, selection: Selection, encoder: EventEncoder): WatchGroupKey {
  const { info } = context
  const namespace = type.namespaced ? info.namespace || (selection.namespace ?? '') : ''
  const { name } = selection
  const onlyKey = name && (namespace !== '' || !type.namespaced) ? type.key(namespace, name) : undefined
  return {
    id: `${encoder.id}\n${onlyKey ?? ''}\n${selection.text}`,
    typeKey: type.storageKey,
    namespace,
    onlyKey,
    filter: selection.filter,
    encoder,
  }
}

/** Initial state, then history, until the watcher has seen all the hub has dispatched; then it is live. */
async function bringUpToDate(
  request: VerbRequest,
  watcher: Watcher,
  key: WatchGroupKey,
  start: Start,
  selection: Selection,
): Promise<void> {
  const { hub } = request.services
  let seen = start.sendsState
    ? await sendState(request, watcher, key, start, selection)
    : await firstVersion(request, start)
  while (!watcher.isEnded) {
    const target = hub.dispatchedRevision
    if (request.type.isRetired) return watcher.end('closed')
    if (seen === target) return hub.join(watcher, key)
    if (seen > target) await hub.reached(seen, watcher)
    else seen = await replay(request, watcher, key, seen, target)
  }
}

/** The version after which a watch begins that does not send the state. */
async function firstVersion({ services }: VerbRequest, { version }: Start): Promise<Revision> {
  const { hub, store } = services
  if (version === undefined) return store.latestRevision()
  if (version === 0) return hub.dispatchedRevision
  if (version < store.compactedRevision()) throw tooOld(version, store.compactedRevision())
  return version
}

async function sendState(
  request: VerbRequest,
  watcher: Watcher,
  key: WatchGroupKey,
  { version, marksEnd }: Start,
  selection: Selection,
): Promise<Revision> {
  const { services } = request
  const { hub, store, initialStates } = services
  const wanted = version ?? (await store.latestRevision())
  if (wanted > hub.dispatchedRevision) await waitForRevision(services, wanted)
  const revision = await deliverState(Math.max(wanted, hub.dispatchedRevision))
  if (marksEnd && !watcher.isEnded) await watcher.deliverAtPace(key.encoder.encodeBookmark(revision, true), revision)
  return revision

  async function deliverState(notOlderThan: Revision): Promise<Revision> {
    const id = `${key.typeKey}\n${key.namespace}\n${key.id}`
    const kept = await initialStates.find(id, notOlderThan)
    if (kept) {
      for (const piece of kept) await watcher.deliverState(piece, notOlderThan)
      return notOlderThan
    }
    const page = await openPage(request, { selection, limit: 0, revision: undefined, notOlderThan, after: undefined })
    for await (const piece of initialStates.encode(id, page, key.encoder)) {
      if (watcher.isEnded) break
      await watcher.deliverState(piece, page.revision)
    }
    return page.revision
  }
}

async function replay(
  { services, type }: VerbRequest,
  watcher: Watcher,
  key: WatchGroupKey,
  from: Revision,
  to: Revision,
): Promise<Revision> {
  const prefix = key.onlyKey ?? type.collectionPrefix(key.namespace)
  let frames: Buffer[] = []
  let bytes = 0
  for await (const event of services.store.history(prefix, from, to)) {
    if (key.onlyKey !== undefined && event.key !== key.onlyKey) continue
    const selected = selectEvent(event, key.filter)
    if (!selected) continue
    const { outside } = key.encoder
    const frame = outside ? (await outside.encode([{ event, selected }]))[0]! : key.encoder.encode(event, selected)
    frames.push(frame)
    bytes += frame.length
    if (bytes < replayPieceBytes) continue
    await watcher.deliverAtPace(Buffer.concat(frames, bytes), event.revision)
    if (watcher.isEnded) return to
    frames = []
    bytes = 0
  }
  if (bytes > 0) await watcher.deliverAtPace(Buffer.concat(frames, bytes), to)
  return to
}

/** The stream has begun, so the error is an event; then the stream ends. */
function endWithError(stream: ResponseStream, watcher: Watcher, encoder: EventEncoder, thrown: unknown): void {
  if (watcher.isEnded) return
  const error = thrown instanceof CompactedError ? tooOld(0, thrown.oldest) : toApiError(thrown)
  stream.write(encoder.encodeError(statusOf(error)))
  watcher.end(error.code === 410 ? 'compacted' : 'closed')
}

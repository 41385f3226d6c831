import { badRequest } from 'orch/sdk'
import { CompactedError, formatFieldSelector, type Revision } from 'orch/sdk/host'
import type { ResponseStream } from '../contracts/exchange.js'
import { isTrueParameter } from '../contracts/request-info.js'
import { parseIncludeObject } from '../representation/table.js'
import { statusOf, toApiError } from '../representation/write-status.js'
import { type EventEncoder, eventEncoder } from '../watch/event-encoder.js'
import { selectEvent } from '../watch/watch-event.js'
import type { WatchGroupKey } from '../watch/watch-group.js'
import { Watcher } from '../watch/watcher.js'
import { openPage } from './list.js'
import { readPaging, tooOld } from './list-options.js'
import { parseSelection, type Selection } from './selection.js'
import type { VerbRequest } from './verb.js'
import { parseVersion, waitForRevision } from './versions.js'

/** Replayed events are written in pieces of about this size. */
const replayPieceBytes = 64 * 1024

/** GET with `watch`: a stream of events of a collection, a namespace or one object. */
export async function watch(request: VerbRequest): Promise<void> {
  const { services, context, type, version } = request
  const { query } = context.info
  const representation = services.representations.negotiate(context, type, version)
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
  const stream = context.exchange.stream(200, headers, true)
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

/** Where a watch begins. */
interface Start {
  /** The version that was asked for: undefined for the newest, 0 for any. */
  readonly version: Revision | undefined
  /** Does it begin with the state, as ADDED events? */
  readonly sendsState: boolean
  /** Does a marked bookmark follow the state? */
  readonly marksEnd: boolean
}

/** Without sendInitialEvents, a watch from no version in particular begins with the state. */
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

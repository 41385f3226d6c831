import type { Clock, Logger } from 'orch/sdk'
import type { Revision, Store, StoreEvent } from 'orch/sdk/host'
import { type WatchGroup, type WatchGroupKey, WatchGroups } from './watch-group.js'
import type { Watcher } from './watcher.js'

/** Called with every committed event of a type, before any watcher sees it. */
export type EventListener = (event: StoreEvent) => void

interface TypeChannel {
  readonly listeners: Set<EventListener>
  /** Groups of watchers of all namespaces. */
  readonly everywhere: WatchGroups
  /** Groups of watchers of one namespace. */
  readonly byNamespace: Map<string, WatchGroups>
}

/** Pause between flushes while flushing takes long: in a burst, more events then share one write. */
const maxFlushPauseMs = 50
/** Events form a burst when they come sooner after a flush than this multiple of its duration: sockets are still busy. */
const burstGap = 2.5
/** How often the hub checks which bookmarks are due; more often for shorter intervals. */
const bookmarkTickMs = 1000

/**
 * Follows the store once per process and fans out. Watchers that want the same events in the same form are a group: an
 * event is encoded once for all groups of a form, and every watcher of a group gets the same bytes.
 */
export class WatchHub {
  readonly #channels = new Map<string, TypeChannel>()
  readonly #dirty = new Set<WatchGroup>()
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #unsubscribe: () => void
  readonly #bookmarkEveryMs: number
  readonly #bookmarks = new Set<Watcher>()
  /** Watches from future revisions. */
  readonly #waiters = new Set<{ readonly revision: Revision; readonly watcher: Watcher; resolve(): void }>()
  #dispatched: Revision
  #flushScheduled = false
  #lastFlushTookMs = 0
  #lastFlushEndedAt = 0
  #stopBookmarks: (() => void) | undefined
  #watcherCount = 0
  #isClosed = false

  constructor(store: Store, clock: Clock, logger: Logger, bookmarkEveryMs: number) {
    this.#bookmarkEveryMs = bookmarkEveryMs
    this.#clock = clock
    this.#logger = logger
    this.#dispatched = store.currentRevision()
    this.#unsubscribe = store.subscribe(events => this.#dispatch(events))
  }

  /** Every event up to this revision has been handed to listeners and groups. */
  get dispatchedRevision(): Revision {
    return this.#dispatched
  }
  get watcherCount(): number {
    return this.#watcherCount
  }

  /** Waits until a revision has been dispatched, or the watch has ended. */
  reached(revision: Revision, watcher: Watcher): Promise<void> {
    if (this.#dispatched >= revision) return Promise.resolve()
    if (this.#isClosed) watcher.end('closed')
    if (watcher.isEnded) return Promise.resolve()
    return new Promise(resolve => {
      const waiter = { revision, watcher, resolve }
      this.#waiters.add(waiter)
      watcher.onEnd(() => {
        this.#waiters.delete(waiter)
        resolve()
      })
    })
  }

  /** Subscribes to every event of a type; returns a function to unsubscribe. */
  listen(typeKey: string, listener: EventListener): () => void {
    const channel = this.#channel(typeKey)
    channel.listeners.add(listener)
    return () => channel.listeners.delete(listener)
  }

  /** Adds a live watcher: it gets every event after `dispatchedRevision`. */
  join(watcher: Watcher, key: WatchGroupKey): void {
    if (this.#isClosed) return watcher.end('closed')
    const channel = this.#channel(key.typeKey)
    const groups =
      key.namespace === '' ? channel.everywhere : getOrMake(channel.byNamespace, key.namespace, () => new WatchGroups())
    const group = groups.of(key)
    group.add(watcher)
    this.#watcherCount++
    watcher.onEnd(() => {
      this.#watcherCount--
      this.#bookmarks.delete(watcher)
      group.remove(watcher)
      if (group.isEmpty) {
        groups.remove(key)
        if (groups.isEmpty && key.namespace !== '') channel.byNamespace.delete(key.namespace)
      }
    })
  }

  /** Sends bookmarks to a watcher from now on. */
  bookmark(watcher: Watcher): void {
    // A watcher that ended while catching up never joined, and would never be removed.
    if (watcher.isEnded) return
    watcher.bookmarkEvery(this.#bookmarkEveryMs, this.#clock.now())
    this.#bookmarks.add(watcher)
    this.#stopBookmarks ??= this.#sendBookmarks()
  }

  /** Ends the watches of a type cleanly: it is no longer served, or has changed. */
  endWatches(typeKey: string): void {
    const channel = this.#channels.get(typeKey)
    if (channel === undefined) return
    endGroups(channel)
    if (channel.listeners.size === 0) this.#channels.delete(typeKey)
  }

  /** Ends every watch, cleanly: clients resume elsewhere by version. */
  close(): void {
    this.#isClosed = true
    this.#unsubscribe()
    this.#stopBookmarks?.()
    for (const { watcher } of this.#waiters) watcher.end('closed')
    for (const channel of this.#channels.values()) endGroups(channel)
  }

  #channel(typeKey: string): TypeChannel {
    return getOrMake(this.#channels, typeKey, () => ({
      listeners: new Set(),
      everywhere: new WatchGroups(),
      byNamespace: new Map(),
    }))
  }

  #dispatch(events: readonly StoreEvent[]): void {
    for (const event of events) {
      const second = event.key.indexOf('/', event.key.indexOf('/') + 1)
      const channel = this.#channels.get(event.key.slice(0, second))
      if (channel) this.#deliver(channel, event, second)
      this.#dispatched = event.revision
    }
    if (this.#dirty.size > 0) this.#scheduleFlush()
    if (this.#waiters.size > 0) this.#releaseWaiters()
  }

  #releaseWaiters(): void {
    for (const waiter of this.#waiters) {
      if (waiter.revision > this.#dispatched) continue
      this.#waiters.delete(waiter)
      waiter.resolve()
    }
  }

  #deliver(channel: TypeChannel, event: StoreEvent, second: number): void {
    for (const listener of channel.listeners) {
      try {
        listener(event)
      } catch (failure) {
        this.#logger.error('a listener of the watch hub failed', { failure: String(failure) })
      }
    }
    channel.everywhere.visit(event, this.#offer)
    if (channel.byNamespace.size === 0) return
    const third = event.key.indexOf('/', second + 1)
    if (third < 0) return
    channel.byNamespace.get(event.key.slice(second + 1, third))?.visit(event, this.#offer)
  }

  /** Conversions and columns of plugins run here: a failing one must not affect other watchers. */
  readonly #offer = (group: WatchGroup, event: StoreEvent): void => {
    try {
      if (group.offer(event)) this.#dirty.add(group)
    } catch (failure) {
      this.#logger.error('an event could not be encoded; its watchers must resume', {
        key: event.key,
        failure: String(failure),
      })
      group.endAll()
    }
  }

  /** Flushes soon: immediately when idle, in a burst after a pause as long as the last flush. */
  #scheduleFlush(): void {
    if (this.#flushScheduled) return
    this.#flushScheduled = true
    const isBurst = performance.now() - this.#lastFlushEndedAt < burstGap * this.#lastFlushTookMs
    const pauseMs = isBurst ? Math.min(maxFlushPauseMs, Math.floor(this.#lastFlushTookMs)) : 0
    if (pauseMs < 2) setImmediate(() => this.#flush())
    else setTimeout(() => this.#flush(), pauseMs)
  }
  #flush(): void {
    this.#flushScheduled = false
    const startedAt = performance.now()
    for (const group of this.#dirty) group.flush()
    this.#dirty.clear()
    this.#lastFlushEndedAt = performance.now()
    this.#lastFlushTookMs = this.#lastFlushEndedAt - startedAt
  }

  #sendBookmarks(): () => void {
    const tickMs = Math.min(bookmarkTickMs, this.#bookmarkEveryMs)
    let cancel = () => {}
    const tick = () => {
      this.#flush()
      for (const watcher of this.#bookmarks) watcher.bookmarkIfDue(this.#dispatched, this.#clock.now())
      if (this.#bookmarks.size > 0) cancel = this.#clock.after(tickMs, tick)
      else this.#stopBookmarks = undefined
    }
    cancel = this.#clock.after(tickMs, tick)
    return () => cancel()
  }
}

function endGroups({ everywhere, byNamespace }: TypeChannel): void {
  for (const groups of [everywhere, ...byNamespace.values()]) groups.endAll()
}

function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = make()))
  return value
}

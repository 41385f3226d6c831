import { type Anything, ApiFailure, failureOf, jsonLines, request } from './api.js'

/** Lists and watches that resume after lost connections, expired versions and hidden tabs. */

export type LiveState = 'loading' | 'live' | 'reconnecting' | 'failed'

export interface Following {
  /** Reads the whole state. Returns the resourceVersion to watch from. */
  list(signal: AbortSignal): Promise<string>
  /** The path of the watch, with a query, but without `resourceVersion`. */
  readonly watchPath: string
  readonly accept?: string
  event(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: Anything): void
  state(state: LiveState, failure?: ApiFailure): void
}

const firstDelayMs = 250
const maxDelayMs = 5000

/** Follows until the returned function is called. A browser has few connections, so a hidden tab holds none. */
export function follow(following: Following): () => void {
  const ending = new AbortController()
  void run(following, ending.signal)
  return () => ending.abort()
}

async function run(following: Following, ended: AbortSignal): Promise<void> {
  let version: string | undefined
  let delayMs = firstDelayMs
  following.state('loading')
  while (!ended.aborted) {
    await untilVisible(ended)
    const attempt = new AbortController()
    const stop = () => attempt.abort()
    ended.addEventListener('abort', stop)
    const hide = () => document.hidden && version !== undefined && attempt.abort()
    document.addEventListener('visibilitychange', hide)
    try {
      version ??= await following.list(attempt.signal)
      if (ended.aborted) return
      const begunAt = performance.now()
      for await (const next of versionsOf(following, version, attempt.signal)) {
        version = next
        delayMs = firstDelayMs
      }
      // Backoff for a server that ends watches immediately.
      if (performance.now() - begunAt < firstDelayMs) await pause(firstDelayMs, ended)
    } catch (failure) {
      if (ended.aborted) return
      if (failure instanceof ApiFailure) {
        if (failure.code === 410) version = undefined
        else if (failure.code !== 0 && failure.code !== 429 && failure.code < 500) {
          following.state('failed', failure)
          return
        }
      }
      if (!document.hidden) {
        following.state('reconnecting')
        await pause(delayMs, ended)
        delayMs = Math.min(delayMs * 2, maxDelayMs)
      }
    } finally {
      ended.removeEventListener('abort', stop)
      document.removeEventListener('visibilitychange', hide)
    }
  }
}

/** Yields the version after each event. Ends when the server ends the watch, as it does regularly. */
async function* versionsOf(following: Following, from: string, signal: AbortSignal): AsyncGenerator<string> {
  const path = `${following.watchPath}&watch=true&allowWatchBookmarks=true&resourceVersion=${from}`
  const response = await request(path, {
    signal,
    ...(following.accept ? { headers: { Accept: following.accept } } : {}),
  })
  if (!response.ok) throw await failureOf(response)
  following.state('live')
  for await (const { type, object } of jsonLines(response)) {
    if (type === 'ERROR') throw new ApiFailure(object.code ?? 500, object.reason ?? '', object.message ?? '')
    if (type !== 'BOOKMARK') following.event(type, object)
    const version = object.metadata?.resourceVersion ?? object.rows?.[0]?.object?.metadata?.resourceVersion
    if (version) yield version
  }
}

function untilVisible(ended: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (!document.hidden || ended.aborted) return resolve()
    const look = () => {
      if (document.hidden && !ended.aborted) return
      document.removeEventListener('visibilitychange', look)
      resolve()
    }
    document.addEventListener('visibilitychange', look)
    ended.addEventListener('abort', look, { once: true })
  })
}

function pause(ms: number, ended: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    ended.addEventListener('abort', end, { once: true })
  })
}

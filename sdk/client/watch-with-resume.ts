import type { Clock } from '../plugin/basic-services.js'
import { ApiError } from '../resource/api-errors.js'
import type { ResourceClient, ResumedEvent, ResumeOptions, WatchEvent, WatchOptions } from './client.js'
import { ConnectionError, errorFromStatus, isExpired } from './error-answers.js'
import { listEverything } from './pages.js'
import { Backoff, sleep } from './waiting.js'

/** The requested duration of one connection: between this and twice this, so that many clients do not reconnect together. */
const connectionSeconds = 300
/** A server that has not ended the connection this long after its time-out is considered dead. */
const graceSeconds = 30
/** A watch that ends sooner without an event counts as a failure: otherwise a server that ends every watch would be called without pause. */
const tooShortMs = 1_000
const firstDelayMs = 200
const maxDelayMs = 30_000

const isPermanent = ({ code }: ApiError) => code >= 400 && code < 500 && ![408, 409, 410, 429].includes(code)

/** Watches a collection without end; see `ResourceClient.watchWithResume`. */
export async function* watchWithResume<T>(
  resource: Pick<ResourceClient<T>, 'list' | 'watch'>,
  options: ResumeOptions,
  clock: Clock,
): AsyncGenerator<ResumedEvent<T>> {
  const { signal, giveUpOn = isPermanent } = options
  const { labelSelector, fieldSelector, metadataOnly, withoutManagedFields } = options
  const selected = { labelSelector, fieldSelector, metadataOnly }
  const backoff = new Backoff(firstDelayMs, maxDelayMs)
  let version = options.resourceVersion
  while (!signal?.aborted) {
    let progressed = false
    try {
      if (version === undefined) {
        const list = await listEverything(resource, selected)
        if (signal?.aborted) return
        version = list.resourceVersion
        yield { type: 'RELISTED', ...list }
      }
      const started = clock.now()
      for await (const event of connection(
        resource,
        { ...selected, withoutManagedFields, resourceVersion: version, signal },
        clock,
      )) {
        if (event.type === 'ERROR') throw errorFromStatus(event.object)
        version = versionOf(event.object) ?? version
        progressed = true
        backoff.reset()
        if (event.type !== 'BOOKMARK') yield { type: event.type, object: event.object }
      }
      if (!progressed && clock.now() - started < tooShortMs) throw new ConnectionError('the watch ended immediately')
    } catch (error) {
      if (signal?.aborted) return
      const expired = isExpired(error)
      if (!expired && error instanceof ApiError && giveUpOn(error)) throw error
      if (expired) version = undefined
      // Expired history is not a failure: list again at once, unless that happens repeatedly.
      const delayMs = expired && progressed ? 0 : backoff.next()
      options.onRetry?.(error, delayMs)
      await sleep(clock, delayMs, signal)
    }
  }
}

const versionOf = (object: unknown) => (object as { metadata?: { resourceVersion?: string } }).metadata?.resourceVersion

/** The events of one connection, which is closed if the server does not end it in time. */
async function* connection<T>(
  resource: Pick<ResourceClient<T>, 'watch'>,
  options: WatchOptions,
  clock: Clock,
): AsyncGenerator<WatchEvent<T>> {
  const timeoutSeconds = Math.floor(connectionSeconds * (1 + Math.random()))
  const cut = new AbortController()
  const abort = () => cut.abort()
  options.signal?.addEventListener('abort', abort, { once: true })
  const cancel = clock.after((timeoutSeconds + graceSeconds) * 1000, abort)
  try {
    yield* resource.watch({ ...options, signal: cut.signal, timeoutSeconds, allowWatchBookmarks: true })
  } finally {
    cancel()
    options.signal?.removeEventListener('abort', abort)
    cut.abort()
  }
}

import type { Client, ResourceRef } from '../client/client.js'
import { watchWithResume } from '../client/watch-with-resume.js'
import type { Clock, Logger } from '../plugin/basic-services.js'
import type { ApiObject } from '../resource/meta.js'
import { ObjectCache } from './object-cache.js'

/** What an informer follows. */
export interface InformerOptions {
  readonly client: Client
  readonly clock: Clock
  readonly logger: Logger
  readonly resource: ResourceRef
  readonly labelSelector?: string
  readonly fieldSelector?: string
}

/** Keeps a cache fresh: lists, watches, resumes, and lists again when history is gone. */
export interface Informer<T extends ApiObject = ApiObject> {
  readonly cache: ObjectCache<T>
  /** Ends the watch and waits until it has ended. The cache stays as it is. */
  stop(): Promise<void>
}

/** Starts following a collection; the cache is ready after the first listing, whenever the server gives it. */
export function startInformer<T extends ApiObject = ApiObject>(options: InformerOptions): Informer<T> {
  const { client, clock, logger, resource, labelSelector, fieldSelector } = options
  const collection = resource.group === '' ? resource.resource : `${resource.resource}.${resource.group}`
  const cache = new ObjectCache<T>(error =>
    logger.error('a listener or an index of a cache failed', { collection, error }),
  )
  const stop = new AbortController()
  const follow = async () => {
    const events = watchWithResume(
      client.resource<T>(resource),
      {
        ...(labelSelector === undefined ? {} : { labelSelector }),
        ...(fieldSelector === undefined ? {} : { fieldSelector }),
        signal: stop.signal,
        // A permission or a type may come later; a loop that gave up would never notice.
        giveUpOn: () => false,
        onRetry: (error, delayMs) => logger.debug('watch interrupted', { collection, error, delayMs }),
      },
      clock,
    )
    for await (const event of events)
      if (event.type === 'RELISTED') cache.replace(event.items)
      else cache.apply(event.type, event.object)
  }
  const ended = follow().catch(error => logger.error('watch failed', { collection, error }))
  return {
    cache,
    async stop() {
      stop.abort()
      await ended
    },
  }
}

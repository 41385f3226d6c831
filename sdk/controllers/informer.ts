import type { Client, ResourceRef } from '../client/client.js'
import { watchWithResume } from '../client/watch-with-resume.js'
import type { Clock, Logger } from '../plugin/basic-services.js'
import type { ApiObject } from '../resource/meta.js'
import { ObjectCache } from './object-cache.js'

/** The collection that an informer watches. */
export interface InformerOptions {
  readonly client: Client
  readonly clock: Clock
  readonly logger: Logger
  readonly resource: ResourceRef
  readonly labelSelector?: string
  readonly fieldSelector?: string
}

/** Keeps a cache up to date: lists, watches, resumes, and lists again when history is gone. */
export interface Informer<T extends ApiObject = ApiObject> {
  readonly cache: ObjectCache<T>
  /** Ends the watch and waits until it has ended. The cache keeps its contents. */
  stop(): Promise<void>
}

/** Starts watching a collection; the cache is ready after the first successful listing. */
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
        // A permission or a type may be added later; a loop that gave up would never notice.
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

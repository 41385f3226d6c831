import type { ResourceRef } from '../client/client.js'
import { sleep } from '../client/waiting.js'
import type { Cache } from '../plugin/caches.js'
import type { ApiObject } from '../resource/meta.js'
import { CacheView } from './cache-view.js'
import { type ControlLoopOptions, keyOf, type LoopCaches, type LoopSource } from './control-loop.js'
import type { Informer } from './informer.js'
import { KeyWorkers } from './key-workers.js'
import { shareInformer } from './shared-informers.js'

/** A loop whose sources are not ready after this time counts as started; it begins to work when they are. */
const startTimeoutMs = 10_000

/** Starts a control loop. Resolves when its caches are filled; the result stops it and waits for work in progress. */
export async function startControlLoop(options: ControlLoopOptions): Promise<() => Promise<void>> {
  const loop = new ControlLoop(options)
  await loop.start()
  return () => loop.stop()
}

interface OpenSource {
  readonly source: LoopSource
  readonly informer: Informer
  readonly view: CacheView<ApiObject>
}

class ControlLoop {
  readonly #options: ControlLoopOptions
  readonly #workers: KeyWorkers
  readonly #caches: LoopCaches
  readonly #sources: readonly OpenSource[]
  #isStopping = false
  #isReady = false
  #cancelResync: () => void = () => {}
  #stopped: Promise<void> | undefined

  constructor(options: ControlLoopOptions) {
    const { name, client, clock, logger, metrics } = options
    this.#options = options
    this.#workers = new KeyWorkers({
      name,
      clock,
      logger,
      ...(metrics ? { metrics } : {}),
      ...(options.workers === undefined ? {} : { workers: options.workers }),
      work: key => options.reconcile(key, this.#caches),
    })
    this.#sources = options.sources.map((source: LoopSource) => {
      const { resource, labelSelector, fieldSelector } = source
      const informer = shareInformer({ client, clock, logger, resource, labelSelector, fieldSelector })
      return { source, informer, view: new CacheView(informer.cache, name) }
    })
    this.#caches = { of: resource => this.#cacheOf(resource) }
  }

  async start(): Promise<void> {
    const { clock, logger, name, resyncMs } = this.#options
    for (const { source, view } of this.#sources)
      view.onChange(({ type, object, previous }) => this.#enqueue(source, object, previous, type))
    if (resyncMs !== undefined) this.#resyncAfter(resyncMs)
    const ready = Promise.all(this.#sources.map(({ view }) => view.ready())).then(() => {
      this.#isReady = true
      if (!this.#isStopping) this.#workers.start()
    })
    const timeout = new AbortController()
    await Promise.race([ready, sleep(clock, startTimeoutMs, timeout.signal)])
    timeout.abort()
    if (!this.#isReady) logger.warn('control loop waits for its sources', { controller: name })
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stopAll()
    return this.#stopped
  }
  async #stopAll(): Promise<void> {
    this.#isStopping = true
    this.#cancelResync()
    for (const { view } of this.#sources) view.close()
    await Promise.all([this.#workers.stop(), ...this.#sources.map(({ informer }) => informer.stop())])
  }

  #cacheOf<T>(wanted: ResourceRef): Cache<T> {
    const found = this.#sources.find(
      ({ source: { resource } }) => resource.group === wanted.group && resource.resource === wanted.resource,
    )
    if (found) return found.view as unknown as Cache<T>
    throw new Error(`control loop "${this.#options.name}" has no source "${wanted.resource}": add it to its sources`)
  }
  #enqueue(
    source: LoopSource,
    object: ApiObject,
    previous: ApiObject | undefined,
    type: 'added' | 'modified' | 'deleted',
  ) {
    const keys = source.keys ? source.keys(object, previous, type) : [keyOf(object)]
    for (const key of keys) this.#workers.add(key)
  }
  #resyncAfter(resyncMs: number): void {
    this.#cancelResync = this.#options.clock.after(resyncMs, () => {
      for (const { source, view } of this.#sources)
        for (const object of view.list()) this.#enqueue(source, object, object, 'modified')
      this.#resyncAfter(resyncMs)
    })
  }
}

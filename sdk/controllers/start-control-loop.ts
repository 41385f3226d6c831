import type { Cache } from '../caches.js'
import type { ResourceRef } from '../client/client.js'
import { sleep } from '../client/waiting.js'
import type { ApiObject } from '../meta.js'
import { CacheView } from './cache-view.js'
import { type ControlLoopOptions, keyOf, type LoopCaches, type LoopSource } from './control-loop.js'
import type { Informer } from './informer.js'
import { loopMetrics } from './loop-metrics.js'
import { shareInformer } from './shared-informers.js'
import { WorkQueue } from './work-queue.js'

/** A loop whose sources do not answer for this long counts as started; it begins to work when they do. */
const startPatienceMs = 10_000

/** Starts a control loop. Resolves when its caches are filled; what it returns stops it and waits for work in progress. */
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
  readonly #metrics: ReturnType<typeof loopMetrics>
  readonly #queue: WorkQueue
  readonly #caches: LoopCaches
  readonly #sources: readonly OpenSource[]
  readonly #running = new Set<Promise<void>>()
  readonly #stop = new AbortController()
  #isReady = false
  #pumpIsDue = false
  #cancelResync: () => void = () => {}
  #stopped: Promise<void> | undefined

  constructor(options: ControlLoopOptions) {
    const { name, client, clock, logger, metrics } = options
    this.#options = options
    this.#metrics = loopMetrics(metrics, name)
    this.#queue = new WorkQueue(clock, this.#metrics, () => this.#pumpSoon())
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
      this.#pumpSoon()
    })
    const patience = new AbortController()
    await Promise.race([ready, sleep(clock, startPatienceMs, patience.signal)])
    patience.abort()
    if (!this.#isReady) logger.warn('control loop waits for its sources', { controller: name })
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stopAll()
    return this.#stopped
  }
  async #stopAll(): Promise<void> {
    this.#stop.abort()
    this.#cancelResync()
    this.#queue.close()
    for (const { view } of this.#sources) view.close()
    await Promise.all([...this.#running, ...this.#sources.map(({ informer }) => informer.stop())])
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
    for (const key of keys) this.#queue.add(key)
  }
  #resyncAfter(resyncMs: number): void {
    this.#cancelResync = this.#options.clock.after(resyncMs, () => {
      for (const { source, view } of this.#sources)
        for (const object of view.list()) this.#enqueue(source, object, object, 'modified')
      this.#resyncAfter(resyncMs)
    })
  }

  /** Takes keys one turn later, so that no reconcile runs inside the event that caused it. */
  #pumpSoon(): void {
    if (this.#pumpIsDue || !this.#isReady || this.#stop.signal.aborted) return
    this.#pumpIsDue = true
    setImmediate(() => {
      this.#pumpIsDue = false
      this.#pump()
    })
  }
  #pump(): void {
    const { workers = 1 } = this.#options
    while (this.#running.size < workers) {
      const key = this.#queue.take()
      if (key === undefined) return
      const work = this.#work(key).finally(() => {
        this.#running.delete(work)
        this.#queue.done(key)
        this.#pumpSoon()
      })
      this.#running.add(work)
    }
  }
  async #work(key: string): Promise<void> {
    const { name, clock, logger, reconcile } = this.#options
    const started = clock.now()
    const seconds = () => (clock.now() - started) / 1000
    try {
      const again = await reconcile.call(this.#options, key, this.#caches)
      this.#metrics.worked(seconds(), 'success')
      this.#queue.forget(key)
      if (again) this.#queue.addAfter(key, again.requeueAfterMs)
    } catch (error) {
      this.#metrics.worked(seconds(), 'error')
      const delayMs = this.#queue.retry(key)
      const reason = error instanceof Error ? error.message : String(error)
      logger.warn('reconcile failed', { controller: name, key, error: reason, retryInMs: delayMs })
    }
  }
}

import { ApiError, type Cache, type GroupResource, isPromise } from 'orch/sdk'

/** How long a decision waits until a cache is filled, before the client is asked to retry. */
const maxWaitMs = 10_000

/**
 * Thrown when a cache is read before it is filled. An empty result would be wrong: a policy that looks for the object that
 * forbids something would allow it.
 */
export class CacheNotFilled extends ApiError {
  readonly filled: () => Promise<void>
  constructor(collection: string, filled: () => Promise<void>) {
    const message = `the cache of ${collection} is still being filled; code that is not called again must wait for ready()`
    super(503, 'ServiceUnavailable', message, { retryAfterSeconds: 1 })
    this.filled = filled
  }
}

/** Runs the work once for all callers. They get its error if it fails, and the next caller runs it again. */
export function retriedUntilDone(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    running ??= work().catch((failure: unknown) => {
      running = undefined
      throw failure
    })
    return running
  }
}

/** `widgets.example.com`, or `pods`. */
export const collectionName = ({ group, resource }: GroupResource): string =>
  group === '' ? resource : `${resource}.${group}`

/** The cache, except that reading it before it is filled throws `CacheNotFilled`. */
export function readOnceFilled<T>(cache: Cache<T>, collection: string): Cache<T> {
  const filled = () => {
    if (!cache.isReady) throw new CacheNotFilled(collection, () => cache.ready())
    return cache
  }
  return {
    ready: () => cache.ready(),
    get isReady() {
      return cache.isReady
    },
    get: (namespace, name) => filled().get(namespace, name),
    list: namespace => filled().list(namespace),
    indexed: (indexName, value) => filled().indexed(indexName, value),
    addIndex: (indexName, valuesOf) => cache.addIndex(indexName, valuesOf),
    onChange: listener => cache.onChange(listener),
  }
}

/**
 * Calls plugin code for a decision, and again once a cache that it read has been filled. Only for code that may be called
 * twice: controls, permissions, authorizers and authenticators. Synchronous when the code is and all caches are filled.
 */
export function whenFilled<T>(ask: () => T | Promise<T>): T | Promise<T> {
  try {
    const answer = ask()
    return isPromise(answer) ? answer.catch(thrown => retryWhenFilled(ask, thrown)) : answer
  } catch (thrown) {
    if (thrown instanceof CacheNotFilled) return retryWhenFilled(ask, thrown)
    throw thrown
  }
}

async function retryWhenFilled<T>(ask: () => T | Promise<T>, first: unknown): Promise<T> {
  const deadline = performance.now() + maxWaitMs
  for (let missing = first; ; ) {
    if (!(missing instanceof CacheNotFilled)) throw missing
    await waitUntilFilled(missing, deadline)
    try {
      return await ask()
    } catch (thrown) {
      missing = thrown
    }
  }
}

async function waitUntilFilled(missing: CacheNotFilled, deadline: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(missing), deadline - performance.now())
  })
  try {
    await Promise.race([missing.filled(), late])
  } finally {
    clearTimeout(timer)
  }
}

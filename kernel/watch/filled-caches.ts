import { ApiError, type Cache, type GroupResource, isPromise } from 'orch/sdk'

/** How long a decision waits for the first copy of a collection before the client is asked to come back. */
const maxWaitMs = 10_000

/**
 * What reading a cache throws before its first copy is there. An empty answer would be a wrong one: a policy that looks for
 * the object that forbids something would allow it.
 */
export class CacheNotFilled extends ApiError {
  readonly filled: () => Promise<void>
  constructor(collection: string, filled: () => Promise<void>) {
    const message = `the cache of ${collection} is still being filled; code that is not asked again must wait for ready()`
    super(503, 'ServiceUnavailable', message, { retryAfterSeconds: 1 })
    this.filled = filled
  }
}

/** `widgets.example.com`, or `pods`. */
export const collectionName = ({ group, resource }: GroupResource): string =>
  group === '' ? resource : `${resource}.${group}`

/** The cache, not to be read before it is filled. */
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
 * Asks plugin code for a decision, and again once a cache that it read has been filled. Only for code that may be asked
 * twice: controls, permissions, authorizers and authenticators. Synchronous when the code is and nothing is missing.
 */
export function whenFilled<T>(ask: () => T | Promise<T>): T | Promise<T> {
  try {
    const answer = ask()
    return isPromise(answer) ? answer.catch(thrown => askAgain(ask, thrown)) : answer
  } catch (thrown) {
    if (thrown instanceof CacheNotFilled) return askAgain(ask, thrown)
    throw thrown
  }
}

async function askAgain<T>(ask: () => T | Promise<T>, first: unknown): Promise<T> {
  const giveUpAt = performance.now() + maxWaitMs
  for (let missing = first; ; ) {
    if (!(missing instanceof CacheNotFilled)) throw missing
    await filledBy(missing, giveUpAt)
    try {
      return await ask()
    } catch (thrown) {
      missing = thrown
    }
  }
}

async function filledBy(missing: CacheNotFilled, giveUpAt: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(missing), giveUpAt - performance.now())
  })
  try {
    await Promise.race([missing.filled(), late])
  } finally {
    clearTimeout(timer)
  }
}

import type { ApiObject, Cache, CacheChange } from 'orch/sdk'
import type { PacedSending } from './paced-sending.js'

/** A change as it is sent. */
type SentChange = Pick<CacheChange, 'type' | 'object'>

/**
 * Sends all objects of a cache, then every change as it happens, until the signal. What changes while the objects are being sent
 * waits with those that were not sent yet, so the other end never gets an older state of an object after a newer one.
 */
export async function sendCollection(
  cache: Pick<Cache, 'onChange'>,
  signal: AbortSignal,
  sending: PacedSending,
  notify: (change: SentChange) => void,
  id: number,
): Promise<void> {
  if (signal.aborted) return
  /** Undefined once they have all been sent. */
  let unsent: Map<string, SentChange> | undefined = new Map()
  const stop = cache.onChange(({ type, object }) => {
    if (unsent) unsent.set(keyOf(object), { type, object })
    else notify({ type, object })
  })
  signal.addEventListener('abort', stop, { once: true })
  // A map yields what is added while it is being walked.
  for (const [key, change] of unsent) {
    unsent.delete(key)
    await sending.send('changed', { id, ...change })
    if (signal.aborted) return
  }
  unsent = undefined
}

const keyOf = ({ metadata: { namespace = '', name } }: ApiObject): string => `${namespace}/${name}`

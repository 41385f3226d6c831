import type { ApiObject } from 'orch/sdk'
import type { ResourceClient } from 'orch/sdk/client'

/** How a wait ended. */
export type WaitEnd = 'done' | 'timeout' | 'interrupted'

/** Watches an object until `isDone` returns true; it gets undefined if the object does not exist. `endsAt` is in ms since the epoch. */
export async function followObject(
  collection: ResourceClient<ApiObject>,
  name: string,
  isDone: (object: ApiObject | undefined) => boolean,
  { endsAt, signal }: { endsAt: number; signal: AbortSignal },
): Promise<WaitEnd> {
  const stop = new AbortController()
  const abort = () => stop.abort()
  const left = Math.max(endsAt - Date.now(), 0)
  // A timeout beyond the maximum of a timer counts as none.
  const timer = Number.isFinite(left) && left < 2 ** 31 ? setTimeout(abort, left) : undefined
  signal.addEventListener('abort', abort, { once: true })
  try {
    for await (const event of collection.watchWithResume({
      fieldSelector: `metadata.name=${name}`,
      signal: stop.signal,
    })) {
      const object = event.type === 'RELISTED' ? event.items[0] : event.type === 'DELETED' ? undefined : event.object
      if (isDone(object)) return 'done'
    }
    return signal.aborted ? 'interrupted' : 'timeout'
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    stop.abort()
  }
}

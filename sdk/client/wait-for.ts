import type { Clock } from '../plugin/basic-services.js'
import { timedOut } from '../resource/api-errors.js'
import type { ResourceClient, WaitOptions } from './client.js'
import { sleep } from './waiting.js'
import { watchWithResume } from './watch-with-resume.js'

const usualTimeoutMs = 30_000

/** Follows one object until `isDone` holds for it; `undefined` stands for no such object. */
export async function waitForState<T>(
  resource: Pick<ResourceClient<T>, 'list' | 'watch'>,
  name: string,
  isDone: (object: T | undefined) => boolean,
  { timeoutMs = usualTimeoutMs, signal }: WaitOptions,
  clock: Clock,
): Promise<T | undefined> {
  const over = new AbortController()
  const abort = () => over.abort()
  signal?.addEventListener('abort', abort, { once: true })
  if (signal?.aborted) abort()
  const timer = sleep(clock, timeoutMs, over.signal).then(abort)
  try {
    for await (const event of watchWithResume(
      resource,
      { fieldSelector: `metadata.name=${name}`, signal: over.signal },
      clock,
    )) {
      const object = event.type === 'RELISTED' ? event.items[0] : event.type === 'DELETED' ? undefined : event.object
      if (isDone(object)) return object
    }
  } finally {
    abort()
    await timer
    signal?.removeEventListener('abort', abort)
  }
  signal?.throwIfAborted()
  throw timedOut(`timed out after ${Math.round(timeoutMs / 1000)} s waiting for "${name}"`, { name })
}

interface Conditioned {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status?: string }[] }
}
/** For `waitFor`: does the object have this condition with this status? */
export const hasCondition =
  (type: string, status = 'True') =>
  (object: unknown): boolean =>
    ((object as Conditioned).status?.conditions ?? []).some(one => one.type === type && one.status === status)

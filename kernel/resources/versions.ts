import { badRequest, timedOut } from 'orch/sdk'
import type { Revision } from 'orch/sdk/host'
import type { ResourceServices } from './resource-services.js'

const largestVersion = 2n ** 64n - 1n

/** Parses a resourceVersion; a 400 for anything but a canonical 64-bit number. */
export function parseVersion(text: string): Revision {
  if (!/^(?:0|[1-9]\d{0,19})$/.test(text) || (text.length > 16 && BigInt(text) > largestVersion))
    throw badRequest(`invalid resource version ${JSON.stringify(text.slice(0, 64))}`)
  return Number(text)
}

export const tooLargeVersion = (asked: Revision, current: Revision) =>
  timedOut(`Too large resource version: ${asked}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  })

/** Waits briefly for a revision that this process has not seen yet (another process may have written it); then 504. */
export async function waitForRevision(services: ResourceServices, revision: Revision): Promise<void> {
  const { store, clock, limits } = services
  if (store.currentRevision() >= revision) return
  if ((await store.latestRevision()) >= revision) return
  // Its event may have arrived while the store was read.
  if (store.currentRevision() >= revision) return
  const hasArrived = await new Promise<boolean>(resolve => {
    const stop = store.subscribe(events => {
      if ((events.at(-1)?.revision ?? 0) >= revision) finish(true)
    })
    const cancel = clock.after(limits.futureVersionWaitMs, () => finish(false))
    const finish = (arrived: boolean) => {
      stop()
      cancel()
      resolve(arrived)
    }
  })
  if (!hasArrived) throw tooLargeVersion(revision, store.currentRevision())
}

import type { Clock, Logger } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import { createEventRecorder, type EventRecorder } from 'orch/sdk/controllers'

/** Events are for people, so their rate is limited: a burst, then so many per second. */
const burst = 100
const perSecond = 5

/** A rate-limited recorder, as node agents and schedulers have one. Warnings are dropped last. */
export function limitedEvents(
  runtime: { readonly client: Client; readonly clock: Clock; readonly logger: Logger },
  component: string,
): EventRecorder {
  const recorder = createEventRecorder({ ...runtime, component })
  const { clock } = runtime
  let left = burst
  let countedAt = clock.now()
  return {
    async record(object, type, reason, message) {
      const now = clock.now()
      left = Math.min(burst, left + ((now - countedAt) * perSecond) / 1000)
      countedAt = now
      if (left < (type === 'Warning' ? 1 : burst / 4)) return
      left--
      await recorder.record(object, type, reason, message)
    },
  }
}

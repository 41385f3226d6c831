import { ApiError, defineAdmission } from 'orch/sdk'
import type { Event } from 'orch/sdk/core'
import { eventLimiter } from './event-rate-limit/event-limiter.js'

/** Limits the rate of events of the core group, so that they do not overload the server. */
export const eventRateLimit = defineAdmission<Event>()({
  name: 'EventRateLimit',
  after: ['PodTolerationRestriction'],
  phase: 'validate',
  sideEffects: 'noneOnDryRun', // it counts the events it admits
  enabledByDefault: false,
  matches: { group: '', resource: 'events', operations: ['create', 'update'] },
  needs: { limiter: eventLimiter },
  async review({ object, user, namespace, dryRun }, { limiter }) {
    if (dryRun) return
    const reached = await limiter.spend({ event: object, user: user.name, namespace })
    if (reached.length > 0) throw new ApiError(429, 'TooManyRequests', `Too many requests: ${reached.join(', ')}`)
  },
})

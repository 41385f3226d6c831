import { definePlugin, parseDuration, Type } from 'orch/sdk'
import { eventsNameTheirReporter } from 'orch/sdk/controllers'
import { eventLimiterService } from './admission/event-rate-limit/event-limiter.js'
import { eventRateLimit } from './admission/event-rate-limit.js'
import { eventExpiry } from './events/event-expiry.js'
import { coreEvents, events as groupEvents } from './events/resource.js'
import { reporterAsInVersion, updatesAreCompared } from './events/validation.js'
import { eventNames } from './names.js'

export { conformance } from './conformance.js'

export const events = definePlugin({
  name: 'events',
  proposed: ['sharedWork'],
  differences: [eventsNameTheirReporter, reporterAsInVersion, updatesAreCompared],
  requires: ['namespaces'],
  options: Type.Object({
    eventTtl: Type.String({
      format: 'duration',
      default: '1h',
      description: 'How long events are retained after their last update.',
    }),
  }),
  register(to, { vendor, options }) {
    const names = eventNames(vendor)
    to.resource(coreEvents(names), groupEvents(names))
    to.admission(eventRateLimit)
    to.service(eventLimiterService(names))
    to.controller(eventExpiry(parseDuration(options.eventTtl)))
  },
})

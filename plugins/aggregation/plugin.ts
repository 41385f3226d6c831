import { apiDelegation, definePlugin, defineService } from 'orch/sdk'
import { apiServices } from './api-services/resource.js'
import { availability } from './availability/controller.js'
import { aggregationNames } from './names.js'
import { registerOwnVersions } from './registration.js'
import { AggregationOptions, delegation, delegationService, followApiServices, healthChecks } from './services.js'

export { conformance } from './conformance.js'

export const aggregation = definePlugin({
  name: 'aggregation',
  requires: ['networking', 'webhooks'],
  options: AggregationOptions,
  register(to, { vendor, options }) {
    const names = aggregationNames(vendor)
    to.resource(apiServices(names))
    to.service(
      delegation(names, options),
      defineService({
        token: apiDelegation,
        needs: { delegation: delegationService },
        create: ({ delegation }) => delegation,
      }),
    )
    to.onStart(registerOwnVersions(names), followApiServices(names))
    to.controller(availability(names, options))
    to.healthCheck(...healthChecks(names))
  },
})

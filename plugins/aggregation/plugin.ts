import { definePlugin, defineService } from 'orch/sdk'
import { apiDelegation } from 'orch/sdk/server'
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
  gates: {
    RemoteRequestHeaderUID: { stage: 'beta', description: 'Requests to extension servers carry the UID of the user.' },
  },
  register(to, { vendor, options, isEnabled }) {
    const names = aggregationNames(vendor)
    to.resource(apiServices(names))
    to.service(
      delegation(names, options, isEnabled('RemoteRequestHeaderUID')),
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

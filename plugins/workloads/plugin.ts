import { definePlugin } from 'orch/sdk'
import { podDifferences, podGates } from 'orch/sdk/core'
import { alwaysAdmit } from './admission/always-admit.js'
import { alwaysDeny } from './admission/always-deny.js'
import { alwaysPullImages } from './admission/always-pull-images.js'
import { securityContextDeny } from './admission/security-context-deny.js'
import { bindings } from './bindings/resource.js'
import { WorkloadOptions } from './options.js'
import { podTemplates } from './pod-templates/resource.js'
import { podLogService } from './pods/connections.js'
import { ownDifferences } from './pods/differences.js'
import { pods } from './pods/resource.js'
import { podStreamService, streamGates, streamSubresources } from './pods/streams.js'
import { replicationControllerLoop } from './replication-controllers/controller.js'
import { controllerPrefixesAreFree, controllersAreCheckedOnce } from './replication-controllers/differences.js'
import { replicationControllers } from './replication-controllers/resource.js'

export { conformance } from './conformance.js'

export const workloads = definePlugin({
  name: 'workloads',
  requires: ['namespaces'],
  gates: { ...podGates, ...streamGates },
  options: WorkloadOptions,
  differences: [...podDifferences, ...ownDifferences, controllersAreCheckedOnce, controllerPrefixesAreFree],
  register(to, { vendor, options, isEnabled }) {
    to.service(podLogService, podStreamService)
    const streams = streamSubresources(
      vendor,
      {
        needsCreate: isEnabled('AuthorizePodWebsocketUpgradeCreatePermission'),
        closesStreams: isEnabled('TranslateStreamCloseWebsocketRequests'),
        tunnels: isEnabled('PortForwardWebsockets'),
      },
      options,
    )
    to.resource(bindings, pods(vendor, streams), podTemplates, replicationControllers(vendor.level))
    to.controller(replicationControllerLoop(vendor))
    to.admission(alwaysPullImages, securityContextDeny, alwaysAdmit, alwaysDeny)
  },
})

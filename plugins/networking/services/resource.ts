import {
  defineRemovalHook,
  defineResource,
  services as kernelServices,
  nameIsDns1035Label,
  strategyForStatus,
  type Vendor,
} from 'orch/sdk'
import { unlessLost } from 'orch/sdk/client'
import { Service, validateLoadBalancerStatus } from 'orch/sdk/core'
import { columns } from './columns.js'
import { serviceNames } from './names.js'
import { proxy } from './proxy.js'
import { isExternallyReachable, needsClusterIp } from './service-kinds.js'
import { mainStrategy } from './strategy.js'

/** Endpoints belong to the Service of their name: nobody may be sent to them when it is gone. */
const removeEndpoints = defineRemovalHook<Service>()({
  needs: { client: kernelServices.client },
  async run({ metadata }, { client }) {
    const endpoints = client.resource({ group: '', version: 'v1', resource: 'endpoints' }).in(metadata?.namespace ?? '')
    await unlessLost(endpoints.delete(metadata?.name ?? ''), 'NotFound')
  },
})

const statusStrategy = strategyForStatus<Service>({
  validateUpdate: ({ status }) => validateLoadBalancerStatus(status?.loadBalancer ?? {}, 'status.loadBalancer'),
})

const stickySeconds = 10_800

/** Fills what depends on other fields. */
function fillService({ spec }: Service): void {
  if (spec === undefined) return
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig
  if (spec.sessionAffinity === 'ClientIP')
    spec.sessionAffinityConfig = {
      clientIP: { timeoutSeconds: spec.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? stickySeconds },
    }
  for (const port of spec.ports ?? []) if (!port.targetPort) port.targetPort = port.port
  if (isExternallyReachable(spec)) spec.externalTrafficPolicy ||= 'Cluster'
  if (needsClusterIp(spec)) spec.internalTrafficPolicy ??= 'Cluster'
  if (spec.type === 'LoadBalancer') spec.allocateLoadBalancerNodePorts ??= true
}

export const services = (vendor: Vendor) =>
  defineResource({
    group: '',
    kind: 'Service',
    resource: 'services',
    shortNames: ['svc'],
    categories: ['all'],
    namespaced: true,
    versions: [{ name: 'v1', schema: Service, defaults: fillService }],
    generation: false,
    strategy: mainStrategy(serviceNames(vendor)),
    deletion: { answer: 'object' },
    afterRemoval: removeEndpoints,
    subresources: { status: { kind: 'update', strategy: statusStrategy }, proxy },
    validateName: nameIsDns1035Label,
    columns,
  })

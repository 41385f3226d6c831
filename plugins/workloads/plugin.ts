import { definePlugin } from 'orch/sdk'
import { alwaysAdmit } from './admission/always-admit.js'
import { alwaysDeny } from './admission/always-deny.js'
import { alwaysPullImages } from './admission/always-pull-images.js'
import { denyServiceExternalIps } from './admission/deny-service-external-ips.js'
import { securityContextDeny } from './admission/security-context-deny.js'
import { apiService } from './api-service/api-service.js'
import { bindings } from './bindings/resource.js'
import { endpoints } from './endpoints/resource.js'
import { WorkloadOptions } from './options.js'
import { podDisruptionBudgets } from './pod-disruption-budgets/resource.js'
import { podSecurityPolicies } from './pod-security-policies/resource.js'
import { podTemplates } from './pod-templates/resource.js'
import { pods } from './pods/resource.js'
import { replicationControllers } from './replication-controllers/resource.js'
import { addressClaimsService } from './services/addresses/address-claims.js'
import { serviceAddresses } from './services/addresses/service-addresses.js'
import { services } from './services/resource.js'

export { conformance } from './conformance.js'

export const workloads = definePlugin({
  name: 'workloads',
  requires: ['namespaces'],
  options: WorkloadOptions,
  register(to, { vendor, options }) {
    to.resource(bindings, endpoints, pods, podTemplates, replicationControllers, services(vendor))
    to.resource(podDisruptionBudgets(vendor), podSecurityPolicies)
    to.admission(serviceAddresses(options), denyServiceExternalIps)
    to.admission(alwaysPullImages, securityContextDeny, alwaysAdmit, alwaysDeny)
    to.service(addressClaimsService)
    to.onStart(apiService(vendor, options))
  },
})

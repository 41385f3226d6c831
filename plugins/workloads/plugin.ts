import { definePlugin } from 'orch/sdk'
import { apiService } from './api-service/api-service.js'
import { bindings } from './bindings/resource.js'
import { endpoints } from './endpoints/resource.js'
import { WorkloadOptions } from './options.js'
import { podDisruptionBudgets } from './pod-disruption-budgets/resource.js'
import { podSecurityPolicies } from './pod-security-policies/resource.js'
import { podTemplates } from './pod-templates/resource.js'
import { pods } from './pods/resource.js'
import { replicationControllers } from './replication-controllers/resource.js'
import { serviceAddresses } from './services/addresses/service-addresses.js'
import { services } from './services/resource.js'

export const workloads = definePlugin({
  name: 'workloads',
  requires: ['namespaces'],
  options: WorkloadOptions,
  register(to, { vendor, options }) {
    to.resource(bindings, endpoints, pods, podTemplates, replicationControllers, services)
    to.resource(podDisruptionBudgets(vendor), podSecurityPolicies)
    to.admission(serviceAddresses(options))
    to.onStart(apiService(vendor, options))
  },
})

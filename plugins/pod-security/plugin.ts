import { definePlugin } from 'orch/sdk'
import { podSecurity as podSecurityControl } from './admission/pod-security.js'
import { podSecurityPolicy } from './admission/pod-security-policy.js'
import { settingsService } from './admission/settings.js'
import { differences } from './differences.js'
import { podSecurityNames } from './names.js'
import { podSecurityPolicies } from './pod-security-policies/resource.js'

export { conformance } from './conformance.js'

export const podSecurity = definePlugin({
  name: 'pod-security',
  differences,
  requires: ['namespaces', 'workloads'],
  register(to, { vendor }) {
    const names = podSecurityNames(vendor)
    to.resource(podSecurityPolicies)
    to.admission(podSecurityControl(names), podSecurityPolicy(names))
    to.service(settingsService(names))
  },
})
